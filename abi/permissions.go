package abi

import "strconv"

// Permissions are a file's nine permission bits, and DirectoryBit for a
// directory.
type Permissions uint32

// DirectoryBit marks the permissions of a directory.
const DirectoryBit Permissions = 0o40000

// String is the form that ls prints, such as "drwxr-xr-x". Other bits than the
// nine and the directory's don't show.
func (p Permissions) String() string {
	const flags = "rwxrwxrwx"
	text := []byte("----------")
	if p&DirectoryBit != 0 {
		text[0] = 'd'
	}
	for i := range flags {
		if p&(1<<(8-i)) != 0 {
			text[1+i] = flags[i]
		}
	}
	return string(text)
}

// A PermissionsProblem is why a text can't be read as permissions. It is an
// error itself, so that errors.Is(err, abi.ErrPermissionsLength) asks for one.
type PermissionsProblem string

// What can be wrong with permissions, in the order it is looked for.
const (
	ErrPermissionsLength PermissionsProblem = "not ten characters long"
	ErrPermissionsType   PermissionsProblem = "the type is neither d nor -"
	ErrPermissionsRead   PermissionsProblem = "a read flag is neither r nor -"
	ErrPermissionsWrite  PermissionsProblem = "a write flag is neither w nor -"
	ErrPermissionsExec   PermissionsProblem = "an execute flag is none that fits its place"
)

func (p PermissionsProblem) Error() string { return string(p) }

// A PermissionsError says what is wrong with a text given to ParsePermissions.
type PermissionsError struct {
	Text    string
	Problem PermissionsProblem
}

func (e *PermissionsError) Error() string {
	return "permissions " + strconv.Quote(e.Text) + ": " + string(e.Problem)
}

// Unwrap returns the problem.
func (e *PermissionsError) Unwrap() error { return e.Problem }

// ParsePermissions reads the form that ls prints, such as "drwxr-xr-x". A mark
// in the eleventh place (@, + or .) is dropped. The set-id and sticky flags s, S,
// t and T only tell whether the execute bit beneath them is set. Nothing but
// files and directories is taken. It fails with a *PermissionsError.
func ParsePermissions(text string) (Permissions, error) {
	p, problem := parsePermissions([]rune(text))
	if problem != "" {
		return 0, &PermissionsError{Text: text, Problem: problem}
	}
	return p, nil
}

func parsePermissions(text []rune) (Permissions, PermissionsProblem) {
	if len(text) == 11 && isPermissionsMark(text[10]) {
		text = text[:10]
	}
	if len(text) != 10 {
		return 0, ErrPermissionsLength
	}
	var p Permissions
	switch text[0] {
	case 'd':
		p = DirectoryBit
	case '-':
	default:
		return 0, ErrPermissionsType
	}
	for class := range 3 {
		bits, problem := parseTriplet(text[1+3*class:4+3*class], class)
		if problem != "" {
			return 0, problem
		}
		p |= bits << (6 - 3*class)
	}
	return p, ""
}

func isPermissionsMark(c rune) bool { return c == '@' || c == '+' || c == '.' }

// parseTriplet reads the flags of one class: 0 is the owner, 1 the group, 2 all
// others.
func parseTriplet(flags []rune, class int) (Permissions, PermissionsProblem) {
	set, unset := 's', 'S'
	if class == 2 {
		set, unset = 't', 'T'
	}
	var bits Permissions
	switch flags[0] {
	case 'r':
		bits |= 4
	case '-':
	default:
		return 0, ErrPermissionsRead
	}
	switch flags[1] {
	case 'w':
		bits |= 2
	case '-':
	default:
		return 0, ErrPermissionsWrite
	}
	switch flags[2] {
	case 'x', set:
		bits |= 1
	case '-', unset:
	default:
		return 0, ErrPermissionsExec
	}
	return bits, ""
}
