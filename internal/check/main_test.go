package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStepsFollowWhatHasChanged(t *testing.T) {
	packages := []pkg{
		{folder: "."},
		{folder: "spec", deps: []string{".", "vm"}},
		{folder: "vm", deps: []string{"reactor"}},
		{folder: "reactor"},
		{folder: "internal/check"},
	}
	for _, c := range []struct {
		name, files string
		all         bool
		want        []string
	}{
		{name: "nothing"},
		{name: "code", files: "main.go vm/deleted.go", want: []string{
			"gofmt -l main.go", "go vet . ./spec ./vm", "go test . ./vm"}},
		{name: "code and those who import it", files: "reactor/deleted.go", all: true, want: []string{
			"go vet ./vm ./reactor", "go test ./reactor", "go test -short ./vm"}},
		{name: "data of a package", files: "vm/bytecode/opcodes.txt", want: []string{"go vet ./spec ./vm", "go test ./vm"}},
		{name: "a case", files: "spec/tests/tasks/waits.rnl", want: []string{
			"go test ./spec -run TestCases$/^tasks$/^waits$"}},
		{name: "an imported module", files: "spec/tests/tasks/_lib/a.rnl spec/tests/tasks/_lib/b.rnl", want: []string{
			"go test ./spec -run TestCases$/^tasks$"}},
		{name: "a document", files: "README.md", want: []string{"go vet ./spec", "go test ./spec"}},
		{name: "a page of the book", files: "doc/book/tour.md", want: []string{"go vet ./spec", "go test ./spec"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, step := range steps(strings.Fields(c.files), packages, c.all) {
				got = append(got, strings.Join(step, " "))
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestPackagesAreListedByFolder(t *testing.T) {
	packages, err := listPackages()
	require.NoError(t, err)
	require.Equal(t, []string{"internal/check"}, []string{packages[0].folder})
	require.Empty(t, folderOf("os", "example.org/m"))
	require.Equal(t, ".", folderOf("example.org/m", "example.org/m"))
	require.Equal(t, "vm", folderOf("example.org/m/vm", "example.org/m"))
}
