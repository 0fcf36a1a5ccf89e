// Package whole writes the files of users: all of what is new, or nothing.
package whole

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write gives a file other contents, all of them or none, and keeps its mode if it is
// there. What is not a file, as a pipe or a terminal, is written to.
func Write(path string, data []byte) error { return Copy(path, bytes.NewReader(data)) }

// Copy is Write of what a reader gives.
func Copy(path string, from io.Reader) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err = fill(path, os.O_CREATE, from); err != nil {
			os.Remove(path) // a part of it
		}
		return err
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fill(path, 0, from)
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return err
	}
	return replace(path, from, info.Mode().Perm())
}

func fill(path string, flag int, from io.Reader) error {
	f, err := os.OpenFile(path, os.O_WRONLY|flag, 0o666)
	if err != nil {
		return err
	}
	return finish(f, from)
}

func finish(f *os.File, from io.Reader) error {
	_, err := io.Copy(f, from)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

func replace(path string, from io.Reader, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".runnel-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // nothing is there any more when all went well
	if err = finish(f, from); err == nil {
		err = os.Chmod(f.Name(), mode)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}
