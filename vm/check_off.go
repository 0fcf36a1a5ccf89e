//go:build !checkedloop

package vm

// What the loop of -tags checkedloop keeps, which other builds have nothing of:
// see check.go.
type (
	checkedProgram struct{}
	checkedTask    struct{}
)

func (p *Program) watch()      { _ = p.checked }
func (c *checkedTask) forget() {}
