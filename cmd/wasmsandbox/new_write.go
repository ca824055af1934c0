package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// A newFile is a file to be made, with a path below the project's folder.
type newFile struct{ path, content string }

// writeNew makes files in a folder that is missing or empty. When that fails,
// all that it made is removed again.
func writeNew(dir string, files []newFile) (err error) {
	if err := checkVacant(dir); err != nil {
		return err
	}
	var made []string // files and folders, in the order in which they were made
	defer func() {
		for i := len(made) - 1; err != nil && i >= 0; i-- {
			_ = os.Remove(made[i])
		}
	}()
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.path))
		if made, err = makeDirs(made, filepath.Dir(path)); err != nil {
			return err
		}
		if made, err = makeFile(made, path, f.content); err != nil {
			return err
		}
	}
	return nil
}

func checkVacant(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case isNotDir(err):
		return fmt.Errorf("%s or a folder above it is a file", dir)
	case err != nil:
		return pathError(dir, err)
	case len(entries) > 0:
		return fmt.Errorf("%s exists, and isn't empty; nothing was written", dir)
	default:
		return nil
	}
}

// makeDirs makes a folder and those above it that are missing.
func makeDirs(made []string, dir string) ([]string, error) {
	err := os.Mkdir(dir, 0o777)
	if errors.Is(err, fs.ErrNotExist) {
		if made, err = makeDirs(made, filepath.Dir(dir)); err != nil {
			return made, err
		}
		err = os.Mkdir(dir, 0o777)
	}
	switch {
	case err == nil:
		return append(made, dir), nil
	case errors.Is(err, fs.ErrExist):
		return made, nil
	default:
		return made, pathError(dir, err)
	}
}

func makeFile(made []string, path, content string) ([]string, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return made, pathError(path, err)
	}
	_, err = f.WriteString(content)
	if err = errors.Join(err, f.Close()); err != nil {
		err = pathError(path, err)
	}
	return append(made, path), err
}

// isNotDir reports that a part of a path that should be a folder is a file.
func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
