package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// try prints the result of an operation.
func try(what string, err error) {
	var number syscall.Errno
	switch {
	case err == nil:
		fmt.Println(what, "ok")
	case errors.As(err, &number):
		fmt.Println(what, "failed:", name(number))
	default:
		fmt.Println(what, "failed:", err)
	}
}

// name is the same on every system, other than the text.
func name(number syscall.Errno) string {
	for name, known := range map[string]syscall.Errno{
		"EACCES": syscall.EACCES, "EBADF": syscall.EBADF, "EEXIST": syscall.EEXIST, "EINVAL": syscall.EINVAL,
		"EISDIR": syscall.EISDIR, "ELOOP": syscall.ELOOP, "ENOENT": syscall.ENOENT, "ENOTDIR": syscall.ENOTDIR,
		"ENOTEMPTY": syscall.ENOTEMPTY, "EPERM": syscall.EPERM, "ESPIPE": syscall.ESPIPE, "EXDEV": syscall.EXDEV,
	} {
		if number == known {
			return name
		}
	}
	return number.Error()
}

// files uses the files in and around the working folder in all ways that package os
// has, and prints what comes of it: the same on every system.
func files() {
	opening()
	content()
	appending()
	folders()
	names()
	links()
	times()
	rooted()
	temporary()
	tree()
}

func open(name string, flags int) *os.File {
	f, err := os.OpenFile(name, flags, 0o644)
	try(fmt.Sprintf("open %s with %s", name, flagNames(flags)), err)
	return f
}

func flagNames(flags int) string {
	var names []string
	for _, f := range []struct {
		flag int
		name string
	}{
		{os.O_WRONLY, "write"}, {os.O_RDWR, "both"}, {os.O_CREATE, "create"}, {os.O_EXCL, "exclusive"},
		{os.O_TRUNC, "truncate"}, {os.O_APPEND, "append"},
	} {
		if flags&f.flag != 0 {
			names = append(names, f.name)
		}
	}
	return strings.Join(names, ",")
}

func opening() {
	open("missing", os.O_RDONLY)
	open("a", os.O_WRONLY|os.O_CREATE).Close()
	open("a", os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	open("missing/a", os.O_WRONLY|os.O_CREATE)
	open("a/b", os.O_WRONLY|os.O_CREATE)
	open("a/b", os.O_RDONLY)
	try("mkdir", os.Mkdir("folder", 0o755))
	open("folder", os.O_RDWR)
	open("folder", os.O_RDONLY).Close()
	f := open("a", os.O_RDONLY)
	try("close", f.Close())
	try("close again", f.Close())
	_, err := f.Read(make([]byte, 1))
	fmt.Println(err)
}

func content() {
	f := open("content", os.O_RDWR|os.O_CREATE|os.O_TRUNC)
	n, err := f.WriteString("hello world")
	fmt.Println(n, err)
	for _, s := range []struct {
		offset int64
		whence int
	}{{6, io.SeekStart}, {-2, io.SeekCurrent}, {3, io.SeekEnd}, {-1, io.SeekStart}, {-100, io.SeekEnd}} {
		at, err := f.Seek(s.offset, s.whence)
		try(fmt.Sprintln("seek", s.offset, s.whence, "to", at), err)
	}
	b := make([]byte, 5)
	n, err = f.Read(b)
	fmt.Println(n, err)
	n, err = f.ReadAt(b, 0)
	fmt.Println(n, err, string(b))
	n, err = f.ReadAt(b, 8)
	fmt.Println(n, err, string(b))
	n, err = f.WriteAt([]byte("!"), 20)
	fmt.Println(n, err)
	try("truncate", f.Truncate(24))
	try("sync", f.Sync())
	show("content")
	try("truncate", f.Truncate(3))
	try("truncate to less than nothing", f.Truncate(-1))
	show("content")
	info, err := f.Stat()
	fmt.Println(info.Name(), info.Size(), info.Mode().Type(), err)
	f.Close()
	f = open("content", os.O_RDONLY)
	_, err = f.Write([]byte("x"))
	try("write", err)
	try("truncate", f.Truncate(0))
	f.Close()
	f = open("content", os.O_WRONLY)
	_, err = f.Read(b)
	try("read", err)
	f.Close()
	f = open("folder", os.O_RDONLY)
	_, err = f.Read(b)
	try("read a folder", err)
	f.Close()
	try("write a file", os.WriteFile("content", []byte("anew"), 0o644))
	show("content")
	try("truncate", os.Truncate("content", 2))
	try("truncate", os.Truncate("missing", 2))
	show("content")
}

func show(name string) {
	text, err := os.ReadFile(name)
	fmt.Printf("%s is %q\n", name, text)
	if err != nil {
		try("read "+name, err)
	}
}

func appending() {
	f := open("log", os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	fmt.Fprintln(f, "one")
	other := open("log", os.O_WRONLY|os.O_APPEND)
	fmt.Fprintln(other, "two")
	fmt.Fprintln(f, "three")
	f.Close()
	other.Close()
	show("log")
}

func list(name string) {
	entries, err := os.ReadDir(name)
	fmt.Print("list ", name, ":")
	for _, e := range entries {
		fmt.Print(" ", e.Name(), e.Type())
	}
	fmt.Println()
	if err != nil {
		try("list "+name, err)
	}
}

func folders() {
	try("mkdir", os.Mkdir("folder", 0o755))
	try("mkdir", os.Mkdir("missing/x", 0o755))
	try("mkdir", os.Mkdir("a/x", 0o755))
	try("mkdir all", os.MkdirAll("folder/x/y/z", 0o755))
	try("mkdir all", os.MkdirAll("a/x/y", 0o755))
	try("remove", os.Remove("folder"))
	try("remove", os.Remove("missing"))
	list("folder")
	list("a")
	list("missing")
	try("remove all", os.RemoveAll("folder/x"))
	try("remove all", os.RemoveAll("missing"))
	list("folder")
	try("mkdir", os.Mkdir("many", 0o755))
	for i := range 500 {
		os.WriteFile(fmt.Sprintf("many/a file with a rather long name, number %d", i), nil, 0o644)
	}
	d := open("many", os.O_RDONLY)
	total := 0
	for {
		names, err := d.Readdirnames(7)
		total += len(names)
		if err != nil {
			fmt.Println(total, err)
			break
		}
		os.Remove("many/" + names[0])
	}
	d.Seek(0, io.SeekStart)
	names, err := d.Readdirnames(-1)
	fmt.Println(len(names), err)
	d.Close()
	try("remove all", os.RemoveAll("many"))
	list(".")
}

func names() {
	try("rename", os.Rename("missing", "b"))
	try("rename", os.Rename("a", "b"))
	try("rename", os.Rename("b", "folder"))
	try("rename", os.Rename("folder", "b"))
	try("rename", os.Rename("folder", "folder/x"))
	try("mkdir", os.MkdirAll("other/x", 0o755))
	try("rename", os.Rename("folder", "other"))
	try("rename", os.Rename("other/x", "y"))
	try("link", os.Link("b", "c"))
	try("link", os.Link("b", "c"))
	try("link", os.Link("missing", "d"))
	try("link", os.Link("folder", "d"))
	b, _ := os.Stat("b")
	c, _ := os.Stat("c")
	fmt.Println(os.SameFile(b, c))
	list(".")
}

func links() {
	try("symlink", os.Symlink("content", "link"))
	try("symlink", os.Symlink("folder", "to folder"))
	try("symlink", os.Symlink("nowhere", "dangling"))
	try("symlink", os.Symlink("round", "round"))
	try("symlink", os.Symlink("x", "link"))
	target, err := os.Readlink("link")
	fmt.Println(target, err)
	_, err = os.Readlink("content")
	try("readlink", err)
	long := strings.Repeat("long/", 100)
	try("symlink", os.Symlink(long, "long"))
	target, err = os.Readlink("long")
	fmt.Println(target == long, err)
	for _, name := range []string{"link", "to folder", "dangling", "round", "content", "folder", "missing"} {
		info, err := os.Lstat(name)
		if err == nil {
			fmt.Println("lstat", name, info.Mode().Type())
		} else {
			try("lstat "+name, err)
		}
		info, err = os.Stat(name)
		if err == nil {
			fmt.Println("stat", name, info.Mode().Type(), info.IsDir())
		} else {
			try("stat "+name, err)
		}
	}
	show("link")
	show("round")
	try("write through", os.WriteFile("dangling", []byte("now somewhere"), 0o644))
	show("nowhere")
	try("remove", os.Remove("to folder"))
	list(".")
}

func times() {
	at := time.Unix(1_000_000_000, 123_456_789)
	try("times", os.Chtimes("content", at, at.Add(time.Hour)))
	info, err := os.Stat("content")
	fmt.Println(info.ModTime().UTC(), err)
	try("times", os.Chtimes("content", time.Time{}, at))
	info, err = os.Stat("content")
	fmt.Println(info.ModTime().UTC(), err)
	try("times", os.Chtimes("missing", at, at))
	before := time.Now()
	for range 100 {
		os.WriteFile("content", []byte("changed"), 0o644)
	}
	info, _ = os.Stat("content")
	fmt.Println(info.ModTime().Before(before.Add(-time.Second)), info.ModTime().After(time.Now().Add(time.Second)))
}

func rooted() {
	root, err := os.OpenRoot("folder")
	try("root", err)
	defer root.Close()
	f, err := root.Create("in the root")
	try("create", err)
	f.Close()
	try("mkdir", root.Mkdir("x", 0o755))
	_, err = root.Open("../content")
	fmt.Println(err)
	_, err = root.Stat("in the root")
	try("stat", err)
	try("remove", root.Remove("x"))
	list("folder")
}

func temporary() {
	dir, err := os.MkdirTemp(".", "tmp")
	try("temporary folder", err)
	f, err := os.CreateTemp(dir, "*.txt")
	try("temporary file", err)
	w := bufio.NewWriter(f)
	for i := range 10_000 {
		fmt.Fprintln(w, i)
	}
	w.Flush()
	f.Seek(0, io.SeekStart)
	lines := 0
	for s := bufio.NewScanner(f); s.Scan(); lines++ {
	}
	fmt.Println(lines, "lines")
	try("remove", os.Remove(f.Name()))
	size, err := f.Seek(0, io.SeekEnd)
	fmt.Println(size, err)
	f.Close()
	try("remove all", os.RemoveAll(dir))
}

func tree() {
	try("copy", os.CopyFS("copy", os.DirFS("other")))
	try("write", os.WriteFile("../above", []byte("above"), 0o644))
	try("chdir", os.Chdir("other"))
	show("../content")
	show("../../above")
	wd, err := os.Getwd()
	fmt.Println(filepath.Base(wd), err)
	absolute, err := filepath.Abs("../../above")
	fmt.Println(filepath.Base(absolute), err)
	show2, err := os.ReadFile(absolute)
	fmt.Println(string(show2), err)
	try("chdir", os.Chdir("missing"))
	try("chdir", os.Chdir("../content"))
	try("chdir", os.Chdir("../.."))
	try("walk", filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		fmt.Println(path, d.Type())
		return err
	}))
}
