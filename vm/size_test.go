//go:build !checkedloop

package vm

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// A million parked tasks cost what one does: both fill a size class of Go's
// allocator.
func TestSizeOfATask(t *testing.T) {
	assert.LessOrEqual(t, unsafe.Sizeof(Task{}), uintptr(416))
	assert.LessOrEqual(t, unsafe.Sizeof(Future{}), uintptr(64))
}
