package sourcebuild

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A digest is taken of all that a build is made from.
type digest struct{ hash.Hash }

func newDigest() digest { return digest{sha256.New()} }

// add puts texts in, each with its length before it.
func (d digest) add(texts ...string) {
	for _, text := range texts {
		_, _ = fmt.Fprintf(d, "%d:%s", len(text), text)
	}
}

// addFile puts a file's digest in, under a name.
func (d digest) addFile(name, path string) error {
	sum, err := fileSum(path)
	if err == nil {
		d.add(name, sum)
	}
	return err
}

func (d digest) text() string { return hex.EncodeToString(d.Sum(nil)) }

// addFolder puts the source files of a folder in.
func (d digest) addFolder(dir string) error {
	return walkSources(dir, func(path string) error {
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		return d.addFile(filepath.ToSlash(name), path)
	})
}

// fileSum is the SHA-256 of a file in hexadecimal.
func fileSum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// outputs are folders that builds write to.
var outputs = []string{"build", "node_modules", "target", "zig-cache", "zig-out"}

// walkSources visits the regular files of a folder, in the order of their names. It
// leaves out what is hidden and what builds make. A link counts as what it leads to,
// but a link to a folder isn't followed.
func walkSources(dir string, visit func(path string) error) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case path == dir:
			return nil
		case entry.IsDir() && (strings.HasPrefix(name, ".") || slices.Contains(outputs, name)):
			return filepath.SkipDir
		case entry.IsDir(), strings.HasPrefix(name, "."), filepath.Ext(name) == ".wasm":
			return nil
		case entry.Type()&fs.ModeSymlink != 0:
			info, err := os.Stat(path)
			if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
				return nil
			}
			if err != nil {
				return err
			}
		case !entry.Type().IsRegular():
			return nil
		}
		return visit(path)
	})
}
