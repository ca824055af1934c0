package shell

import (
	"path"
	"slices"
	"strings"
)

// systemFolders are where commands of the shell and tools are said to be.
var systemFolders = []string{"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"}

// shells are the names by which the shell itself is run.
var shells = []string{"sh", "bash", "dash", "ash"}

// alone are the builtins that can be run without a script as well.
var alone = []string{"echo", "printf", "test", "[", "pwd", "true", "false"}

// known reports whether the shell runs a name by itself.
func known(name string) bool {
	return slices.Contains(shells, name) || slices.Contains(alone, name) || name == "env" || name == "sudo"
}

// mapped finds the tool with a name, which may be the path of one.
func (r *run) mapped(name string) (Tool, bool) {
	if strings.Contains(name, "/") {
		if !slices.Contains(systemFolders, path.Dir(path.Clean(name))) {
			return nil, false
		}
		name = path.Base(name)
	}
	if r.shell.Lookup == nil || name == "" {
		return nil, false
	}
	return r.shell.Lookup(name)
}

// ownCommand finds the command of the shell that a name means.
func ownCommand(name string) (string, bool) {
	if strings.Contains(name, "/") && !slices.Contains(systemFolders, path.Dir(path.Clean(name))) {
		return "", false
	}
	return path.Base(name), known(path.Base(name))
}

// look finds what a name would run, and the path that is shown for it.
func (r *run) look(name, dir, paths string) (string, bool) {
	if strings.Contains(name, "/") {
		if _, found := r.mapped(name); found {
			return name, true
		}
		if _, found := ownCommand(name); found {
			return name, true
		}
		info, err := r.shell.Files.Stat(absolute(dir, name))
		return name, err == nil && info.Mode.IsRegular() && info.Mode&0o111 != 0
	}
	if file, found := r.inPath(name, dir, paths); found {
		return file, true
	}
	if _, found := r.mapped(name); found {
		return "/usr/bin/" + name, true
	}
	return "/usr/bin/" + name, known(name)
}

// inPath finds an executable file of the workspace by the folders of PATH.
func (r *run) inPath(name, dir, paths string) (string, bool) {
	for folder := range strings.SplitSeq(paths, ":") {
		if folder == "" {
			folder = "."
		}
		file := path.Join(absolute(dir, folder), name)
		if info, err := r.shell.Files.Stat(file); err == nil && info.Mode.IsRegular() && info.Mode&0o111 != 0 {
			return file, true
		}
	}
	return "", false
}
