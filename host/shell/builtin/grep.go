package builtin

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

// maxGrepPattern is how long all patterns together may be, as one expression:
// compiling it can't be ended.
const maxGrepPattern = 512 << 10

const errGrepPattern = complaint("the patterns are too long")

// A grepper is one grep.
type grepper struct {
	c             *command
	set           map[byte]bool
	kind          byte // G, E, F or P
	patterns      []string
	include       []string
	exclude       []string
	excludeDir    []string
	before, after int
	most          int // lines of a file; -1: all
	matcher       *boundedMatcher
	context       bool // -A, -B or -C was given
	begun         bool // lines were printed
	named         bool
	found         bool
}

var grepGrammar = grammar{
	letters: "nrRivlLcEFGPqowxhHse:f:m:A:B:C:aIzZ\x01:\x02:\x03:\x04:", optional: "\x04", digits: 'C',
	long: map[string]byte{
		"line-number": 'n', "recursive": 'r', "ignore-case": 'i', "invert-match": 'v', "files-with-matches": 'l',
		"files-without-match": 'L', "count": 'c', "extended-regexp": 'E', "fixed-strings": 'F', "perl-regexp": 'P',
		"quiet": 'q', "silent": 'q', "only-matching": 'o', "word-regexp": 'w', "line-regexp": 'x', "no-filename": 'h',
		"with-filename": 'H', "no-messages": 's', "regexp": 'e', "file": 'f', "max-count": 'm', "after-context": 'A',
		"before-context": 'B', "context": 'C', "text": 'a', "include": 1, "exclude": 2, "exclude-dir": 3, "color": 4, "colour": 4,
		"basic-regexp": 'G', "null": 'Z', "null-data": 'z',
	},
}

func grep(c *command, args []string) int {
	options, names, err := grepGrammar.parse(args)
	if err != nil {
		return c.badUsage(2, err)
	}
	g := grepper{c: c, set: map[byte]bool{}, kind: 'G', most: -1}
	switch c.name {
	case "egrep":
		g.kind = 'E'
	case "fgrep":
		g.kind = 'F'
	}
	given := false
	for _, o := range options {
		given = given || o.letter == 'e' || o.letter == 'f'
		if text := g.option(o); text != "" {
			return c.fail(2, "%s", text)
		}
	}
	if !given {
		if len(names) == 0 {
			return c.fail(2, "no pattern")
		}
		g.patterns, names = strings.Split(names[0], "\n"), names[1:]
	}
	if err := g.compile(); err != nil {
		return c.fail(2, "%v", err)
	}
	g.run(names)
	switch {
	case g.found && (g.set['q'] || c.code == 0):
		c.code = 0
		return 0
	case c.code > 0:
		return c.code
	default:
		return 1
	}
}

func (g *grepper) option(o option) string {
	switch o.letter {
	case 'E', 'F', 'G', 'P':
		g.kind = o.letter
	case 'e':
		g.patterns = append(g.patterns, strings.Split(o.value, "\n")...)
	case 'f':
		content, err := g.c.read(o.value)
		if err != nil {
			return o.value + ": " + shell.ErrorText(err)
		}
		if len(content) > maxGrepPattern {
			return string(errGrepPattern)
		}
		for line := range g.c.lines(content) {
			g.patterns = append(g.patterns, string(line))
		}
	case 'm', 'A', 'B', 'C':
		n, err := strconv.Atoi(o.value)
		if err != nil || n < 0 {
			return o.value + ": invalid context length argument"
		}
		g.number(o.letter, n)
	case 4:
		if !slices.Contains([]string{"", "auto", "never"}, o.value) {
			return "--color=" + o.value + " is not supported"
		}
	case 1:
		g.include = append(g.include, o.value)
	case 2:
		g.exclude = append(g.exclude, o.value)
	case 3:
		g.excludeDir = append(g.excludeDir, strings.TrimRight(o.value, "/"))
	default:
		g.set[o.letter] = true
	}
	return ""
}

func (g *grepper) number(letter byte, n int) {
	g.context = g.context || letter != 'm'
	switch letter {
	case 'm':
		g.most = n
	case 'A':
		g.after = n
	case 'B':
		g.before = n
	case 'C':
		g.before, g.after = n, n
	}
}

func (g *grepper) compile() error {
	parts := make([]string, 0, len(g.patterns))
	for _, p := range g.patterns {
		var err error
		switch g.kind {
		case 'F':
			p = regexp.QuoteMeta(p)
		case 'E', 'G':
			p, err = translate(p, g.kind == 'E')
		}
		if err != nil {
			return err
		}
		parts = append(parts, "(?:"+p+")")
	}
	all := strings.Join(parts, "|")
	if len(parts) == 0 {
		all = `[^\s\S]` // matches nothing
	}
	switch {
	case g.set['x']:
		all = "^(?:" + all + ")$"
	case g.set['w']:
		all = `\b(?:` + all + `)\b`
	}
	if g.set['i'] {
		all = "(?i)" + all
	}
	if g.set['z'] && g.kind != 'P' {
		all = "(?s)" + all // a line has line breaks
	}
	if len(all) > maxGrepPattern {
		return errGrepPattern
	}
	matcher, err := regexp.Compile(all)
	if err != nil {
		return err
	}
	g.matcher = bounded(matcher, g.kind != 'P')
	return nil
}

func (g *grepper) run(names []string) {
	recursive := g.set['r'] || g.set['R']
	bare := false
	if len(names) == 0 {
		names = []string{"-"}
		if recursive {
			names, bare = []string{"."}, true
		}
	}
	g.named = (len(names) > 1 || recursive || g.set['H']) && !g.set['h']
	for _, name := range names {
		if name != "-" && g.c.isFolder(name) {
			if !recursive {
				g.c.fail(2, "%s: Is a directory", name)
				continue
			}
			g.folder(name, bare)
			continue
		}
		g.file(name)
		if g.done() {
			return
		}
	}
}

var lineEnd, zeroEnd = []byte("\n"), []byte{0}

// end is what a line ends with.
func (g *grepper) end() []byte {
	if g.set['z'] {
		return zeroEnd
	}
	return lineEnd
}

func (g *grepper) done() bool { return g.c.stop() || g.found && g.set['q'] }

func (g *grepper) folder(name string, bare bool) {
	list, err := g.c.Files.ReadDir(g.c.at(name))
	if err != nil {
		g.complaint(name, err)
		return
	}
	for _, info := range list {
		child := joined(strings.TrimSuffix(name, "/"), info.Name)
		if bare {
			child = info.Name
		}
		switch {
		case info.Mode.IsDir():
			if !matchesAny(g.excludeDir, info.Name) {
				g.folder(child, false)
			}
		case info.Mode&fs.ModeSymlink != 0 && !g.set['R']:
		case len(g.include) > 0 && !matchesAny(g.include, info.Name), matchesAny(g.exclude, info.Name):
		default:
			g.file(child)
		}
		if g.done() {
			return
		}
	}
}

func matchesAny(globs []string, name string) bool {
	for _, glob := range globs {
		if matched, err := path.Match(glob, name); err == nil && matched {
			return true
		}
	}
	return false
}

func (g *grepper) complaint(name string, err error) {
	if g.set['s'] {
		g.c.code = 2
		return
	}
	g.c.fail(2, "%s: %s", name, shell.ErrorText(err))
}

func (g *grepper) file(name string) {
	content, err := g.c.read(name)
	if err != nil {
		g.complaint(name, err)
		return
	}
	title := name
	if name == "-" {
		title = "(standard input)"
	}
	binary := !g.set['a'] && !g.set['z'] && bytes.IndexByte(content, 0) >= 0
	if binary && g.set['I'] {
		return
	}
	g.search(title, content, binary)
}
