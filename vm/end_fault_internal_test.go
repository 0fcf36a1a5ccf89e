package vm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheUseOfANilPointerIsKnown(t *testing.T) {
	var got any
	func() {
		defer func() { got = recover() }()
		var task *Task
		task.pc++
	}()
	require.NotNil(t, got)
	require.Equal(t, nilDereference(), got)
}
