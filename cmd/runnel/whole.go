package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// writeWhole gives a file other contents, all of them or none, and keeps its mode if
// it is there. What is no file, as a pipe or a terminal, is written to.
func writeWhole(path string, data []byte) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err = os.WriteFile(path, data, 0o666); err != nil {
			os.Remove(path) // a part of it
		}
		return err
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return os.WriteFile(path, data, 0)
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return err
	}
	return replaceFile(path, data, info.Mode().Perm())
}

func replaceFile(path string, data []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".runnel-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // nothing is there any more when all went well
	_, err = f.Write(data)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Chmod(f.Name(), mode)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}
