package sourcebuild

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A recipe makes a module by one command, which has no memory of its own.
type recipe struct {
	tool    tool
	version string // of the compiler
	output  string // of the tool, as a path in its arguments
	want    string // what makes it write one module

	// modules are packages outside of the folder's source whose files count, too.
	addModules func(digest) error
	// inputs lists the files that the module was made from, after it was made.
	inputs func(context.Context) ([]string, error)
}

// make gives the module that the same command made of the same files before, or
// runs it. A module is kept under the digest of the folder, with a list of the files
// outside of the folder that it was made from.
func (r *recipe) make(ctx context.Context, b *build) ([]byte, error) {
	key, err := r.key(b)
	if err != nil {
		return nil, err
	}
	kept := filepath.Join(b.cache.dir, fmt.Sprintf("%s-%s", b.language, key))
	unlock, err := lock(ctx, b.place()+".lock")
	if err != nil {
		return nil, err
	}
	defer unlock()
	if wasm, err := os.ReadFile(kept + ".wasm"); err == nil && unchanged(kept+".inputs") {
		return wasm, nil
	}
	if _, err := b.run(ctx, r.tool); err != nil {
		return nil, err
	}
	made, err := wasmFiles(filepath.Dir(r.output))
	if err != nil {
		return nil, err
	}
	wasm, err := b.readOne(made, r.want)
	if err != nil {
		return nil, err
	}
	outside, err := r.outside(ctx, b)
	if err != nil {
		return nil, err
	}
	// A build that began before a file was changed isn't kept under what it is now.
	if now, err := r.key(b); err != nil || now != key {
		return wasm, err
	}
	return wasm, keep(kept, wasm, outside)
}

// deciding are the environment variables that compilers heed, beside those that name
// the compiler itself.
var deciding = []string{
	"CPATH", "C_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS", "COMPILER_PATH", "SOURCE_DATE_EPOCH", "NODE_OPTIONS", "NODE_PATH",
}

// key is the digest of the files of the folder, of the command, of the compiler and of
// what it heeds in the environment.
func (r *recipe) key(b *build) (string, error) {
	d := newDigest()
	d.add(string(b.language), string(b.kind), r.version)
	anywhere := strings.NewReplacer(b.work, "", b.dir, ".")
	for _, word := range r.tool.command {
		d.add(anywhere.Replace(word))
	}
	d.add(r.tool.env...)
	for _, name := range deciding {
		d.add(name + "=" + os.Getenv(name))
	}
	if err := d.addFolder(b.dir); err != nil {
		return "", err
	}
	if r.addModules != nil {
		if err := r.addModules(d); err != nil {
			return "", err
		}
	}
	return d.text(), nil
}

// outside lists the inputs that aren't in the folder, with their digests.
func (r *recipe) outside(ctx context.Context, b *build) (string, error) {
	if r.inputs == nil {
		return "", nil
	}
	inputs, err := r.inputs(ctx)
	if err != nil {
		return "", err
	}
	var lines []string
	for _, path := range inputs {
		if !filepath.IsAbs(path) {
			path = filepath.Join(b.dir, path)
		}
		if within(b.dir, path) {
			continue
		}
		sum, err := fileSum(path)
		if err != nil {
			return "", err
		}
		lines = append(lines, sum+" "+path+"\n")
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), ""), nil
}

// within tells whether a path is one of a folder's source files. What the digest
// leaves out isn't.
func within(dir, path string) bool {
	below, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(below) {
		return false
	}
	for element := range strings.SplitSeq(filepath.ToSlash(below), "/") {
		if strings.HasPrefix(element, ".") || slices.Contains(outputs, element) {
			return false
		}
	}
	return true
}

// unchanged tells whether all files of a list have the digests that they had.
func unchanged(list string) bool {
	f, err := os.Open(list)
	if err != nil {
		return false
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		was, path, ok := strings.Cut(lines.Text(), " ")
		if !ok {
			return false
		}
		if sum, err := fileSum(path); err != nil || sum != was {
			return false
		}
	}
	return lines.Err() == nil
}

// keep writes a module and its inputs. The module comes first: without the list it
// doesn't count.
func keep(path string, wasm []byte, inputs string) error {
	_ = os.Remove(path + ".inputs")
	if err := replaceFile(path+".wasm", wasm); err != nil {
		return err
	}
	return replaceFile(path+".inputs", []byte(inputs))
}

// replaceFile writes a file that is never seen half written.
func replaceFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "new-*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // unless it was renamed
	if _, err := f.Write(data); err != nil {
		_ = f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
