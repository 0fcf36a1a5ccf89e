//go:build !unix

package lineedit

func (t *tty) Suspend() {}
