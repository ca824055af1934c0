package builtin

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/listing"
)

// A lister is one ls.
type lister struct {
	c   *command
	set map[byte]bool
	any bool // something was printed
}

func ls(c *command, args []string) int {
	set, names, err := grammar{letters: "laA1dFhiRrtSnogps", long: map[string]byte{
		"inode": 'i', "size": 's', "no-group": 'o', "numeric-uid-gid": 'n',
		"all": 'a', "almost-all": 'A', "recursive": 'R', "directory": 'd', "human-readable": 'h', "reverse": 'r',
	}}.flags(args)
	if err != nil {
		return c.badUsage(2, err)
	}
	if len(names) == 0 {
		names = []string{"."}
	}
	l := lister{c: c, set: set}
	if set['n'] || set['o'] || set['g'] {
		set['l'] = true
	}
	var files []workspace.Info
	var folders []string
	for _, name := range names {
		info, err := l.stat(name)
		switch {
		case err != nil:
			c.failed(2, "cannot access", name, err)
		case info.Mode.IsDir() && !set['d']:
			folders = append(folders, name)
		default:
			info.Name = name
			files = append(files, info)
		}
	}
	l.sort(files)
	l.print(files, false)
	slices.Sort(folders)
	for _, folder := range folders {
		l.folder(folder, len(names) > 1 || set['R'])
	}
	return 0
}

// stat follows symlinks, unless they are to be shown themselves.
func (l *lister) stat(name string) (workspace.Info, error) {
	if l.set['l'] || l.set['d'] || l.set['F'] {
		return l.c.lstat(name)
	}
	info, err := l.c.stat(name)
	if err != nil {
		return l.c.lstat(name)
	}
	return info, nil
}

func (l *lister) folder(name string, title bool) {
	list, err := l.c.Files.ReadDir(l.c.at(name))
	if err != nil {
		l.c.failed(2, "cannot open directory", name, err)
		return
	}
	if l.c.stop() {
		return
	}
	if title {
		if l.any {
			l.c.print("\n")
		}
		l.c.print(name, ":\n")
	}
	shown := l.visible(name, list)
	l.sort(shown)
	l.any = true
	l.print(shown, true)
	if !l.set['R'] {
		return
	}
	for _, info := range shown {
		if info.Mode.IsDir() && info.Name != "." && info.Name != ".." {
			l.folder(joined(name, info.Name), true)
		}
	}
}

// joined is the path of what is in a folder, as it was named.
func joined(folder, name string) string {
	if folder == "/" {
		return "/" + name
	}
	return folder + "/" + name
}

func (l *lister) visible(folder string, list []workspace.Info) []workspace.Info {
	var shown []workspace.Info
	if l.set['a'] {
		for _, name := range []string{".", ".."} {
			info, err := l.c.Files.Stat(path.Join(l.c.at(folder), name))
			if err != nil { // the root's parent is outside
				info = workspace.Info{Mode: fs.ModeDir | 0o755, Size: workspace.FolderSize, Links: 1, Owner: l.c.User.Name, Group: l.c.User.Name}
			}
			info.Name = name
			shown = append(shown, info)
		}
	}
	for _, info := range list {
		if info.Name[0] != '.' || l.set['a'] || l.set['A'] {
			shown = append(shown, info)
		}
	}
	return shown
}

func (l *lister) sort(list []workspace.Info) {
	slices.SortStableFunc(list, func(a, b workspace.Info) int {
		switch {
		case l.set['t'] && a.Modified != b.Modified:
			return cmp.Compare(b.Modified, a.Modified)
		case l.set['S'] && a.Size != b.Size:
			return cmp.Compare(b.Size, a.Size)
		default:
			return cmp.Compare(a.Name, b.Name)
		}
	})
	if l.set['r'] {
		slices.Reverse(list)
	}
}

func (l *lister) print(list []workspace.Info, folder bool) {
	l.any = l.any || len(list) > 0
	if len(list) == 0 && !folder {
		return
	}
	entries := make([]listing.Entry, len(list))
	for i, info := range list {
		entries[i] = listing.Entry{
			Name: info.Name, Mode: info.Mode, Links: info.Links, Owner: info.Owner, Group: info.Group,
			Size: info.Size, Modified: info.Modified, Target: info.Target,
		}
		if l.set['n'] {
			entries[i].Owner, entries[i].Group = l.c.uidText(info.Owner), l.c.gidText(info.Group)
		}
		if info.Target == "" || !l.set['l'] {
			entries[i].Name += l.mark(info)
		}
	}
	l.column(entries, 's', func(i int) string { return listing.Total(entries[i:i+1], l.set['h']) })
	l.column(entries, 'i', func(i int) string { return strconv.FormatUint(list[i].Inode, 10) })
	if l.set['l'] {
		l.c.write(listing.Format(entries, listing.Options{
			Total: folder, Now: l.c.Files.Now(), WithoutOwner: l.set['g'], WithoutGroup: l.set['o'], Human: l.set['h'],
		}))
		return
	}
	if folder && l.set['s'] {
		l.c.print("total ", listing.Total(entries, l.set['h']), "\n")
	}
	for _, e := range entries {
		l.c.print(e.Before, e.Name, "\n")
	}
}

// column puts a column of numbers before the others, if its option was given.
func (l *lister) column(entries []listing.Entry, letter byte, number func(i int) string) {
	if !l.set[letter] {
		return
	}
	width := 0
	for i := range entries {
		width = max(width, len(number(i)))
	}
	for i := range entries {
		entries[i].Before = fmt.Sprintf("%*s ", width, number(i)) + entries[i].Before
	}
}

// mark is what -F and -p put behind a name.
func (l *lister) mark(info workspace.Info) string {
	switch {
	case !l.set['F'] && !l.set['p']:
		return ""
	case info.Mode.IsDir():
		return "/"
	case !l.set['F']:
		return ""
	case info.Mode&fs.ModeSymlink != 0:
		return "@"
	case info.Mode&0o111 != 0:
		return "*"
	}
	return ""
}

func stat(c *command, args []string) int {
	options, names, err := grammar{letters: "c:L", long: map[string]byte{"format": 'c', "dereference": 'L'}}.parse(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	format, follow := "", false
	for _, o := range options {
		if o.letter == 'c' {
			format = o.value
		}
		follow = follow || o.letter == 'L'
	}
	for _, name := range names {
		get := c.lstat
		if follow {
			get = c.stat
		}
		info, err := get(name)
		if err != nil {
			c.fail(1, "cannot statx '%s': %s", name, shell.ErrorText(err))
			continue
		}
		if format == "" {
			format = "  File: %n\n  Size: %s\n   Type: %F\nAccess: (%a/%A)  Uid: %U   Gid: %G\nModify: %y"
		}
		c.print(c.statText(format, name, info), "\n")
	}
	return 0
}
