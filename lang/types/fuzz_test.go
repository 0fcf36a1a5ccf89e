package types_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/runnel-lang/runnel/lang/diag"
)

// FuzzCheck: whatever the text, checking ends and does not crash, and says
// nothing about places that do not exist.
func FuzzCheck(f *testing.F) {
	for _, info := range diag.Codes() {
		f.Add(info.Example)
	}
	paths, _ := filepath.Glob(preludeDir + "/*.rnl")
	for _, p := range paths {
		if text, err := os.ReadFile(p); err == nil {
			f.Add(string(text))
		}
	}
	for _, p := range programs {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, src string) {
		start := time.Now()
		c := check(t, src, modules{"./a": src, "b": src})
		if d := time.Since(start); d > 5*time.Second {
			t.Fatalf("took %v", d)
		}
		for _, d := range c.diags {
			if file := c.files.File(d.Span.Start); file != nil {
				file.Pos(d.Span.Start)
			}
		}
		c.prog.CheckLibrary()
	})
}
