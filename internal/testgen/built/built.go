// Package built builds the command for tests that run it.
package built

import (
	"fmt"
	"os/exec"
	"runtime"
)

const path = "github.com/runnel-lang/runnel/cmd/runnel"

// Command writes the command to a file. What go run links is kept in Go's cache, so the
// packages that need the command do not link it once each.
func Command(file string) error {
	cmd := exec.Command("go", "run", "-exec", "cp", path, file)
	if runtime.GOOS == "windows" {
		cmd = exec.Command("go", "build", "-o", file, path)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}
