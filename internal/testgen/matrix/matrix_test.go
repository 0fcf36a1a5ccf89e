package matrix

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNamesAreUnique(t *testing.T) {
	var ops, kinds, positions []string
	for _, op := range Ops() {
		ops = append(ops, op.Name)
	}
	for _, k := range Kinds {
		kinds = append(kinds, k.Name)
	}
	for _, p := range Positions {
		positions = append(positions, p.Name)
	}
	for _, names := range [][]string{ops, kinds, positions} {
		slices.Sort(names)
		assert.Len(t, slices.Compact(slices.Clone(names)), len(names))
	}
}

func TestExceptionsNameWhatExists(t *testing.T) {
	ops, positions := map[string]bool{}, map[string]bool{}
	for _, op := range Ops() {
		ops[op.Name] = true
	}
	for _, p := range Positions {
		positions[p.Name] = true
	}
	for _, e := range Exceptions() {
		assert.True(t, ops[e.Op], e.Op)
		assert.True(t, positions[e.Position], e.Position)
	}
	for name := range clocks {
		assert.True(t, ops[name], name)
	}
}
