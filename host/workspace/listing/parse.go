package listing

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A LineError is a line that Parse couldn't read.
type LineError struct {
	Line int   // from 1
	Err  error // a *abi.PermissionsError
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d of the listing: %v", e.Line, e.Err) }

// Unwrap returns the cause.
func (e *LineError) Unwrap() error { return e.Err }

// Parse reads the output of `ls -la base`. It skips what isn't an entry, and the
// entries . and .. (S6.19). Bytes that aren't UTF-8 are replaced (S6.8). The path
// of an entry is base and its name. An absolute name is the path (S6.20), so that
// the one line for a base that is a file is right if the base is absolute; a
// relative one gets its base twice, as in the original.
//
// It fails with a *LineError if the mode of an entry can't be read (S6.21).
// The entries don't share memory with output.
func Parse(output []byte, base string) ([]abi.FileEntry, error) {
	p := parser{base: strings.TrimRight(base, "/") + "/"}
	rest := decode(output)
	entries := make([]abi.FileEntry, 0, strings.Count(rest, "\n"))
	for n := 1; rest != ""; n++ {
		var line string
		line, rest = cutLine(rest)
		entry, ok, err := p.entry(line)
		if err != nil {
			return nil, &LineError{Line: n, Err: err}
		}
		if ok {
			entries = append(entries, entry)
		}
	}
	return entries, nil
}

type parser struct {
	base string // with one slash at its end
}

// The fields of a line (S6.14). On a line for a device with two numbers the name
// is one further.
const (
	fieldMode = iota
	fieldLinks
	fieldOwner
	fieldGroup
	fieldSize
	fieldMonth
	fieldDay
	fieldTime
	fieldName
)

// entry reads a line. It is false for one to be skipped.
func (p *parser) entry(line string) (entry abi.FileEntry, ok bool, err error) {
	if strings.HasPrefix(line, "total") {
		return abi.FileEntry{}, false, nil
	}
	var fields [fieldName]string
	name, ok := cutFields(line, fields[:])
	if !ok {
		return abi.FileEntry{}, false, nil
	}
	mode := fields[fieldMode]
	kind := kindOf(mode)
	size, name, ok := sizeAndName(mode, fields[fieldSize], name)
	if !ok {
		return abi.FileEntry{}, false, nil
	}
	if kind == abi.FileKindSymlink {
		name, _, _ = strings.Cut(name, arrow) // S6.18
	}
	if name == "." || name == ".." { // S6.19
		return abi.FileEntry{}, false, nil
	}
	permissions, err := abi.ParsePermissions(plainMode(mode, kind))
	if err != nil {
		return abi.FileEntry{}, false, err
	}
	return abi.FileEntry{
		Path: p.path(name), Permissions: permissions, Owner: fields[fieldOwner], Group: fields[fieldGroup],
		Size: size, Kind: kind,
	}, true, nil
}

// arrow is between the name of a symlink and its target.
const arrow = " -> "

// path joins the base and a name (S6.20).
func (p *parser) path(name string) string {
	if strings.HasPrefix(name, "/") {
		return name
	}
	return p.base + name
}

// sizeAndName reads the fifth field, and what comes after the eighth. A device has
// one or two numbers instead of a size (S6.15). It is false if there is no size
// (S6.16) or no name. A size is digits: ls prints no other form.
func sizeAndName(mode, field, rest string) (size uint64, name string, ok bool) {
	if mode[0] != 'c' && mode[0] != 'b' {
		size, err := strconv.ParseUint(field, 10, 64)
		return size, rest, err == nil
	}
	if !strings.HasSuffix(field, ",") {
		return 0, rest, true
	}
	name, ok = cutFields(rest, make([]string, 1))
	return 0, name, ok
}

// kindOf tells the kind by the first character of a mode (S6.17).
func kindOf(mode string) abi.FileKind {
	switch mode[0] {
	case '-':
		return abi.FileKindFile
	case 'd':
		return abi.FileKindDirectory
	case 'l':
		return abi.FileKindSymlink
	default:
		return abi.FileKindOther
	}
}

// plainMode is a mode as that of a file, unless it is a directory's (S6.17).
func plainMode(mode string, kind abi.FileKind) string {
	if kind == abi.FileKindFile || kind == abi.FileKindDirectory {
		return mode
	}
	_, first := utf8.DecodeRuneInString(mode)
	if first == len(mode) {
		return mode
	}
	return "-" + mode[first:]
}
