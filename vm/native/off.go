//go:build !(linux && amd64 && !race && !checkedloop && go1.26 && !go1.28)

package native

import (
	"sync/atomic"

	"github.com/runnel-lang/runnel/vm"
)

// Failures stays 0.
var Failures atomic.Int64

// Supported reports whether this process can run machine code: this build cannot.
func Supported() bool { return false }

// Compile compiles nothing.
func Compile(*vm.Program) bool { return false }

// List compiles nothing.
func List(*vm.Program, int) (Listing, bool) { return Listing{}, false }

// Use compiles nothing.
func Use(*vm.Program) bool { return false }
