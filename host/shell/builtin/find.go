package builtin

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A finder is one find.
type finder struct {
	c                  *command
	minDepth, maxDepth int
	depthFirst         bool
	follow             bool
	actions            bool   // there is one, so that -print isn't meant
	start              string // what is looked through now
	batches            []*batch
}

// A visit is a file that is looked at.
type visit struct {
	name  string // as it is printed
	info  workspace.Info
	depth int // below where it was started
	prune bool
}

// A test is an expression about a file; some do something.
type test func(v *visit) bool

func find(c *command, args []string) int {
	f := &finder{c: c, maxDepth: -1}
	for len(args) > 0 && (args[0] == "-L" || args[0] == "-P" || args[0] == "-H") {
		f.follow = args[0] == "-L"
		args = args[1:]
	}
	var starts []string
	for len(args) > 0 && !strings.HasPrefix(args[0], "-") && args[0] != "(" && args[0] != "!" {
		starts, args = append(starts, args[0]), args[1:]
	}
	if len(starts) == 0 {
		starts = []string{"."}
	}
	p := findParser{finder: f, args: args}
	matches, err := p.all()
	if err != nil {
		return c.badUsage(1, err)
	}
	if !f.actions {
		test := matches
		matches = func(v *visit) bool { return test(v) && f.print(v.name, "\n") }
	}
	for _, start := range starts {
		info, err := c.lstat(start)
		if err == nil && f.follow {
			info, err = c.stat(start)
		}
		if err != nil {
			c.fail(1, "'%s': %s", start, shell.ErrorText(err))
			c.code = 1
			continue
		}
		f.start = start
		f.walk(start, info, 0, matches)
	}
	for _, b := range f.batches {
		b.flush(f)
	}
	return 0
}

func (f *finder) print(name, end string) bool {
	f.c.print(name, end)
	return true
}

func (f *finder) walk(name string, info workspace.Info, depth int, matches test) {
	if f.c.stop() {
		return
	}
	v := &visit{name: name, info: info, depth: depth}
	if !f.depthFirst && depth >= f.minDepth {
		matches(v)
	}
	if info.Mode.IsDir() && !v.prune && (f.maxDepth < 0 || depth < f.maxDepth) {
		list, err := f.c.Files.ReadDir(f.c.at(name))
		if err != nil {
			f.c.fail(1, "'%s': %s", name, shell.ErrorText(err))
		}
		for _, child := range list {
			childName := joined(strings.TrimRight(name, "/"), child.Name)
			if f.follow && child.Mode&fs.ModeSymlink != 0 && depth < 40 {
				if to, err := f.c.stat(childName); err == nil {
					child.Mode, child.Size = to.Mode, to.Size
				}
			}
			f.walk(childName, child, depth+1, matches)
		}
	}
	if f.depthFirst && depth >= f.minDepth {
		matches(v)
	}
}

// A findParser reads an expression.
type findParser struct {
	finder *finder
	args   []string
	depth  int
}

func (p *findParser) next() (string, bool) {
	if len(p.args) == 0 {
		return "", false
	}
	arg := p.args[0]
	p.args = p.args[1:]
	return arg, true
}

func (p *findParser) all() (test, error) {
	t, err := p.or()
	if err == nil && len(p.args) > 0 {
		err = fmt.Errorf("paths must precede expression: '%s'", p.args[0])
	}
	return t, err
}

func (p *findParser) or() (test, error) {
	left, err := p.and()
	for err == nil && len(p.args) > 0 && (p.args[0] == "-o" || p.args[0] == "-or") {
		p.args = p.args[1:]
		var right test
		right, err = p.and()
		a := left
		left = func(v *visit) bool { return a(v) || right(v) }
	}
	return left, err
}

func (p *findParser) and() (test, error) {
	all := func(*visit) bool { return true }
	for len(p.args) > 0 && p.args[0] != "-o" && p.args[0] != "-or" && p.args[0] != ")" {
		if p.args[0] == "-a" || p.args[0] == "-and" {
			p.args = p.args[1:]
			continue
		}
		next, err := p.not()
		if err != nil {
			return nil, err
		}
		a := all
		all = func(v *visit) bool { return a(v) && next(v) }
	}
	return all, nil
}

// maxFindDepth is how deep expressions may be nested.
const maxFindDepth = 100

func (p *findParser) not() (test, error) {
	if p.depth++; p.depth > maxFindDepth {
		return nil, errors.New("the expression is nested too deep")
	}
	defer func() { p.depth-- }()
	arg, ok := p.next()
	if !ok {
		return nil, errors.New("expected an expression")
	}
	switch arg {
	case "!", "-not":
		inner, err := p.not()
		return func(v *visit) bool { return !inner(v) }, err
	case "(":
		inner, err := p.or()
		if end, ok := p.next(); err == nil && (!ok || end != ")") {
			err = errors.New("missing ')'")
		}
		return inner, err
	}
	return p.primary(arg)
}

func (p *findParser) primary(arg string) (test, error) {
	f := p.finder
	switch arg {
	case "-print":
		f.actions = true
		return func(v *visit) bool { return f.print(v.name, "\n") }, nil
	case "-print0":
		f.actions = true
		return func(v *visit) bool { return f.print(v.name, "\x00") }, nil
	case "-delete":
		f.actions, f.depthFirst = true, true
		return f.remove, nil
	case "-prune":
		return func(v *visit) bool { v.prune = true; return true }, nil
	case "-depth":
		f.depthFirst = true
		return always, nil
	case "-true", "-mount", "-xdev":
		return always, nil
	case "-false":
		return func(*visit) bool { return false }, nil
	case "-empty":
		return f.empty, nil
	case "-exec", "-execdir":
		return p.exec()
	case "-executable":
		return func(v *visit) bool { return v.info.Mode&0o111 != 0 }, nil
	case "-ls", "-ok":
		return nil, fmt.Errorf("%s is not supported", arg)
	}
	if !slices.Contains(valuedPredicates, arg) {
		return nil, fmt.Errorf("unknown predicate `%s'", arg)
	}
	value, ok := p.next()
	if !ok {
		return nil, fmt.Errorf("missing argument to `%s'", arg)
	}
	return p.valued(arg, value)
}

func always(*visit) bool { return true }

var valuedPredicates = []string{
	"-name", "-iname", "-path", "-wholename", "-ipath", "-type", "-maxdepth", "-mindepth", "-size", "-mtime", "-mmin",
	"-newer", "-perm", "-user", "-printf",
}

// valued are tests with a value.
func (p *findParser) valued(arg, value string) (test, error) {
	f := p.finder
	matching := func(of func(v *visit) string, fold bool) (test, error) {
		matcher, err := newGlob(value, fold)
		return func(v *visit) bool { return err == nil && matcher.match(of(v)) }, err
	}
	last := func(v *visit) string { return path.Base(v.name) }
	whole := func(v *visit) string { return v.name }
	switch arg {
	case "-name":
		return matching(last, false)
	case "-iname":
		return matching(last, true)
	case "-path", "-wholename":
		return matching(whole, false)
	case "-ipath":
		return matching(whole, true)
	case "-type":
		return fileTypeTest(value), nil
	case "-maxdepth", "-mindepth":
		n, err := strconv.Atoi(value)
		if err != nil {
			return nil, fmt.Errorf("invalid argument '%s' to '%s'", value, arg)
		}
		if arg == "-maxdepth" {
			f.maxDepth = n
		} else {
			f.minDepth = n
		}
		return always, nil
	case "-size", "-mtime", "-mmin":
		return p.compared(arg, value)
	case "-newer":
		info, err := f.c.stat(value)
		if err != nil {
			return nil, fmt.Errorf("'%s': %s", value, shell.ErrorText(err))
		}
		return func(v *visit) bool { return v.info.Modified > info.Modified }, nil
	case "-perm":
		mode, err := strconv.ParseUint(strings.TrimLeft(value, "-/"), 8, 12)
		if err != nil {
			return nil, fmt.Errorf("invalid mode '%s'", value)
		}
		return permTest(value, uint32(mode)), nil
	case "-user":
		return func(v *visit) bool { return v.info.Owner == value }, nil
	case "-printf":
		f.actions = true
		return f.printf(value)
	}
	return nil, fmt.Errorf("unknown predicate `%s'", arg)
}

func permTest(value string, mode uint32) test {
	return func(v *visit) bool {
		has := workspace.UnixMode(v.info.Mode)
		switch value[0] {
		case '-':
			return has&mode == mode
		case '/':
			return has&mode != 0 || mode == 0
		}
		return has == mode
	}
}

func fileTypeTest(kinds string) test {
	return func(v *visit) bool {
		mode := v.info.Mode
		return strings.Contains(kinds, "f") && mode.IsRegular() || strings.Contains(kinds, "d") && mode.IsDir() ||
			strings.Contains(kinds, "l") && mode&fs.ModeSymlink != 0
	}
}

// compared are tests of numbers: n, +n or -n.
func (p *findParser) compared(arg, value string) (test, error) {
	sign, digits := byte('='), value
	if value != "" && (value[0] == '+' || value[0] == '-') {
		sign, digits = value[0], value[1:]
	}
	unit := int64(512)
	if i := len(digits) - 1; arg == "-size" && i > 0 {
		if factor, ok := map[byte]int64{'c': 1, 'w': 2, 'b': 512, 'k': 1 << 10, 'M': 1 << 20, 'G': 1 << 30}[digits[i]]; ok {
			unit, digits = factor, digits[:i]
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("invalid argument '%s' to '%s'", value, arg)
	}
	now := p.finder.c.Files.Now()
	return func(v *visit) bool {
		var has int64
		switch arg {
		case "-size":
			has = (v.info.Size + unit - 1) / unit
		case "-mtime":
			has = (now - v.info.Modified) / (24 * 3600 * 1e9)
		default:
			has = (now - v.info.Modified + 60*1e9 - 1) / (60 * 1e9)
		}
		return sign == '=' && has == n || sign == '+' && has > n || sign == '-' && has < n
	}, nil
}

func (f *finder) empty(v *visit) bool {
	if !v.info.Mode.IsDir() {
		return v.info.Mode.IsRegular() && v.info.Size == 0
	}
	list, err := f.c.Files.ReadDir(f.c.at(v.name))
	return err == nil && len(list) == 0
}

// remove leaves the folder "." where it is, as others do.
func (f *finder) remove(v *visit) bool {
	if path.Base(v.name) == "." {
		return true
	}
	if err := f.c.Files.Remove(f.c.at(v.name)); err != nil {
		f.c.fail(1, "cannot delete '%s': %s", v.name, shell.ErrorText(err))
		return false
	}
	return true
}
