package abi_test

import (
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

func TestPermissionsAreReadAsLsPrintsThem(t *testing.T) {
	for _, test := range []struct {
		rule, text string
		want       abi.Permissions
		problem    abi.PermissionsProblem
	}{
		{"S7.5 a file", "-rw-r--r--", 0o644, ""},
		{"S7.5 a directory", "drwxr-xr-x", abi.DirectoryBit | 0o755, ""},
		{"S7.5 no bit", "----------", 0, ""},
		{"S7.5 all bits", "-rwxrwxrwx", 0o777, ""},
		{"S7.5 mark @ is dropped", "-rw-r--r--@", 0o644, ""},
		{"S7.5 mark + is dropped", "drwx------+", abi.DirectoryBit | 0o700, ""},
		{"S7.5 mark . is dropped", "drwxr-xr-x.", abi.DirectoryBit | 0o755, ""},
		{"S7.5 another mark isn't", "-rw-r--r--*", 0, abi.ErrPermissionsLength},
		{"S7.5 only one mark", "-rw-r--r--@+", 0, abi.ErrPermissionsLength},
		{"S7.5 a mark needs an eleventh place", "-rw-r--r-@", 0, abi.ErrPermissionsExec},
		{"S7.5 too short", "-rw-r--r-", 0, abi.ErrPermissionsLength},
		{"S7.5 empty", "", 0, abi.ErrPermissionsLength},
		{"S7.5 length counts characters", "érw-r--r--", 0, abi.ErrPermissionsType},
		{"S7.5 a link is neither", "lrwxrwxrwx", 0, abi.ErrPermissionsType},
		{"S7.5 a device is neither", "brw-r--r--", 0, abi.ErrPermissionsType},
		{"S7.5 read flag", "-xw-r--r--", 0, abi.ErrPermissionsRead},
		{"S7.5 read flag of the group", "-rw-R--r--", 0, abi.ErrPermissionsRead},
		{"S7.5 write flag", "-rrwr--r--", 0, abi.ErrPermissionsWrite},
		{"S7.5 execute flag", "-rwzr--r--", 0, abi.ErrPermissionsExec},
		{"S7.5 s is set and executable", "-rwsr-sr--", 0o754, ""},
		{"S7.5 S is set and not executable", "-rwSr-Sr--", 0o644, ""},
		{"S7.5 t is sticky and executable", "drwxrwxrwt", abi.DirectoryBit | 0o777, ""},
		{"S7.5 T is sticky and not executable", "drwxrwxrwT", abi.DirectoryBit | 0o776, ""},
		{"S7.5 s isn't for others", "-rw-r--r-s", 0, abi.ErrPermissionsExec},
		{"S7.5 S isn't for others", "-rw-r--r-S", 0, abi.ErrPermissionsExec},
		{"S7.5 t isn't for the owner", "-rwtr--r--", 0, abi.ErrPermissionsExec},
		{"S7.5 T isn't for the group", "-rwxr-Tr--", 0, abi.ErrPermissionsExec},
		{"S7.5 the first problem counts", "lxxx", 0, abi.ErrPermissionsLength},
	} {
		t.Run(test.rule, func(t *testing.T) {
			got, err := abi.ParsePermissions(test.text)
			if test.problem == "" {
				if got != test.want || err != nil {
					t.Errorf("%q is %o (%v), want %o", test.text, got, err, test.want)
				}
				return
			}
			var failure *abi.PermissionsError
			if !errors.As(err, &failure) || failure.Text != test.text || !errors.Is(err, test.problem) {
				t.Errorf("%q is %o (%v), want the error %q", test.text, got, err, test.problem)
			}
		})
	}
}

func TestPermissionsArePrintedWithoutSpecialBits(t *testing.T) {
	for _, test := range []struct {
		rule string
		p    abi.Permissions
		want string
	}{
		{"S7.6 a directory", abi.DirectoryBit | 0o750, "drwxr-x---"},
		{"S7.6 a file", 0o421, "-r---w---x"},
		{"S7.6 set-id and sticky bits don't show", 0o7777, "-rwxrwxrwx"},
		{"S7.4 a block device has the directory bit", 0o60644, "drw-r--r--"},
	} {
		if got := test.p.String(); got != test.want {
			t.Errorf("%s: %o is %q, want %q", test.rule, test.p, got, test.want)
		}
	}
}

func TestAllPermissionsAreReadAsTheyArePrinted(t *testing.T) {
	for p := range abi.Permissions(0o1000) {
		for _, p := range []abi.Permissions{p, p | abi.DirectoryBit} {
			if got, err := abi.ParsePermissions(p.String()); got != p || err != nil {
				t.Errorf("%q is %o (%v), want %o", p, got, err, p)
			}
		}
	}
}
