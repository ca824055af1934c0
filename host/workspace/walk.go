package workspace

import (
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"
)

// A place is where a path leads: to a node, or to a name that a folder doesn't
// have.
type place struct {
	parent *node  // the folder with the name; nil for the top
	name   string // in the parent
	node   *node  // nil: there is none
	slash  bool   // the path ended in a slash, or in a dot: only a folder will do
	dot    bool   // the path ended in a dot or two, or is "/": it isn't about a name
}

// folder is the folder that it is, or in which it is.
func (p place) folder() *node {
	if p.node != nil && p.node.isDir() {
		return p.node
	}
	return p.parent
}

// An access is what is to be done at a place.
type access struct {
	op     string // for errors
	follow bool   // a symlink at the end of the path, which one before a slash always is
	entry  bool   // the name itself is meant: a symlink isn't even followed before a slash
	write  bool   // the node itself, or the names in its parent
}

// walk finds where a path leads from a folder. The error says why it leads
// nowhere; a name that is missing at its end is no error. The place has to be
// inside of the tree's areas.
func (t *Tree) walk(base *node, name string, a access) (place, error) {
	p, err := t.resolve(base, name, a)
	if err != nil {
		return place{}, &fs.PathError{Op: a.op, Path: name, Err: err}
	}
	return p, nil
}

// resolve is walk whose error has neither the operation nor the path.
func (t *Tree) resolve(base *node, name string, a access) (place, error) {
	if err := checkPathText(name); err != nil {
		return place{}, err
	}
	w := walker{tree: t, at: base, rest: name, follow: a.follow, entry: a.entry}
	if strings.HasPrefix(name, "/") {
		w.at = t.top
	}
	if !w.at.isDir() {
		return place{}, ENOTDIR
	}
	p, err := w.run()
	// First of all: what is outside isn't told of.
	if reason := w.permit(name, a.write); reason != nil {
		return place{}, reason
	}
	return p, err
}

// A walker goes through the names of a path.
type walker struct {
	tree   *Tree
	at     *node  // the folder it has come to
	name   string // what it looks for there
	rest   string // of the path, behind the name
	links  int    // symlinks followed
	follow bool   // a symlink at the end
	entry  bool   // not even one before a slash

	// search says why a folder can't be gone through; nil: all can.
	search func(folder *node) error
}

func (w *walker) run() (place, error) {
	for {
		p, err := w.step()
		if err != nil {
			return place{}, err
		}
		last := strings.TrimLeft(w.rest, "/") == ""
		switch n := p.node; {
		case n == nil && last:
			return p, nil
		case n == nil:
			return place{}, ENOENT
		case n.isSymlink() && (!last || w.follows(p.slash)):
			if err := w.enter(n); err != nil {
				return place{}, err
			}
		case n.isDir():
			w.at, w.name = n, ""
			if last {
				return p, nil
			}
		case !last || p.slash && !w.entry:
			return place{}, ENOTDIR
		default:
			return p, nil
		}
	}
}

// follows says whether a symlink at the end of the path is followed.
func (w *walker) follows(slash bool) bool {
	if slash {
		return !w.entry
	}
	return w.follow
}

// step takes the next name of the path.
func (w *walker) step() (place, error) {
	w.name, w.rest = nextName(w.rest)
	if w.search != nil && w.name != "" {
		if err := w.search(w.at); err != nil {
			return place{}, err
		}
	}
	switch {
	case w.name == "..":
		if w.at.parent != nil {
			w.at = w.at.parent
		}
		fallthrough
	case w.name == "" || w.name == ".":
		w.name = ""
		return place{parent: w.at.parent, name: w.at.name, node: w.at, slash: true, dot: true}, nil
	case len(w.name) > maxName:
		return place{}, ENAMETOOLONG
	default:
		slash := w.rest != "" && strings.TrimLeft(w.rest, "/") == ""
		return place{parent: w.at, name: w.name, node: w.at.entries.get(w.name), slash: slash}, nil
	}
}

// enter goes on with where a symlink points to.
func (w *walker) enter(symlink *node) error {
	if w.links++; w.links > maxLinks {
		return ELOOP
	}
	w.tree.work.Bytes += len(symlink.target)
	w.name = ""
	if w.rest == "" {
		w.rest = symlink.target
	} else {
		w.rest = symlink.target + "/" + w.rest
	}
	if strings.HasPrefix(symlink.target, "/") {
		w.at = w.tree.top
	}
	return nil
}

// permit says why the folder that it has come to can't be used: it is outside of
// all areas, or in one that can only be read.
func (w *walker) permit(name string, write bool) error {
	a := w.at.area
	switch {
	case w.at.links == 0: // removed while somebody has it open
		return ENOENT
	case a == nil:
		return &EscapeError{Path: name, Reason: ReasonEscapeRoot, Resolved: w.resolved()}
	case write && a.readOnly:
		return &ReadOnlyError{Path: name, Grant: a.path, Resolved: w.resolved()}
	default:
		return nil
	}
}

// resolved is the path as far as it is known, without the symlinks in it.
func (w *walker) resolved() string { return path.Join(w.at.path(), w.name, w.rest) }

// nextName cuts the first name off a path.
func nextName(path string) (name, rest string) {
	path = strings.TrimLeft(path, "/")
	if i := strings.IndexByte(path, '/'); i >= 0 {
		return path[:i], path[i:]
	}
	return path, ""
}

// lastName is the last name of a path.
func lastName(name string) string {
	name = strings.TrimRight(name, "/")
	return name[strings.LastIndexByte(name, '/')+1:]
}

// checkPathText says what is wrong with a path wherever it leads.
func checkPathText(name string) error {
	switch {
	case name == "":
		return ENOENT
	case len(name) >= maxPath:
		return ENAMETOOLONG
	case strings.IndexByte(name, 0) >= 0:
		return EINVAL
	case !utf8.ValidString(name):
		return EILSEQ
	}
	return nil
}

// ValidatePath says why no tree could have a path, nil if one could: it, or a name in
// it, is too long, or isn't text.
func ValidatePath(name string) error {
	if err := checkPathText(name); err != nil {
		return err
	}
	for name, rest := nextName(name); name != ""; name, rest = nextName(rest) {
		if len(name) > maxName {
			return ENAMETOOLONG
		}
	}
	return nil
}

func pathError(op, name string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}
