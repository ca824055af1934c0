package listing_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/listing"
)

func file(path string) abi.FileEntry {
	return abi.FileEntry{Path: path, Permissions: 0o644, Owner: "root", Group: "wheel", Size: 12}
}

func other(path string) abi.FileEntry {
	return abi.FileEntry{Path: path, Permissions: 0o644, Owner: "root", Group: "wheel", Kind: abi.FileKindOther}
}

func symlink(path string) abi.FileEntry {
	return abi.FileEntry{Path: path, Permissions: 0o777, Owner: "root", Group: "wheel", Size: 4, Kind: abi.FileKindSymlink}
}

func directory(path string) abi.FileEntry {
	return abi.FileEntry{
		Path: path, Permissions: abi.DirectoryBit | 0o755, Owner: "root", Group: "wheel", Size: 4096,
		Kind: abi.FileKindDirectory,
	}
}

func TestParse(t *testing.T) {
	for _, test := range []struct {
		rule, output string
		want         []abi.FileEntry
	}{
		{"S6.13 nothing", "", nil},
		{"S6.13 blank lines and the total", "total 4\n\n-rw-r--r-- 1 root wheel 12 Jan  1 00:00 a\n\n", []abi.FileEntry{file("/w/a")}},
		{"S6.13 all that begins with total", "totally -rw-r--r-- root wheel 12 Jan 1 00:00 a\n", nil},
		{"S6.13 a line of spaces", "   \t \n", nil},
		{"S6.13 too few fields", "-rw-r--r-- 1 root wheel 12 Jan  1 00:00\n", nil},
		{"S6.13 too few fields and a space", "-rw-r--r-- 1 root wheel 12 Jan  1 00:00 \n", nil},
		{"S6.13 any space parts fields", "\t-rw-r--r--\u00a01  root\twheel 12 Jan  1 00:00   a", []abi.FileEntry{file("/w/a")}},
		{"S6.13 lines end with CR LF, too", "total 0\r\n-rw-r--r-- 1 root wheel 12 Jan  1 00:00 a\r\n", []abi.FileEntry{file("/w/a")}},
		{"S6.13 lines end where Unicode ends them", "-rw-r--r-- 1 root wheel 12 Jan  1 00:00 a\u2028b\n", []abi.FileEntry{file("/w/a")}},
		{"S6.14 the name is the rest of the line", "-rw-r--r-- 1 root wheel 12 Jan  1  2000 a  b c \n", []abi.FileEntry{file("/w/a  b c ")}},
		{"S6.15 a device of GNU", "crw-r--r-- 1 root wheel 1, 3 Jan  1 00:00 null\n", []abi.FileEntry{other("/w/null")}},
		{"S6.15 a device of BSD", "brw-r--r-- 1 root wheel 0x3000002 Jan  1 00:00 disk 1\n", []abi.FileEntry{other("/w/disk 1")}},
		{"S6.15 a device without a name", "crw-r--r-- 1 root wheel 1, 3 Jan  1 00:00\n", nil},
		{"S6.16 a size that is none", "-rw-r--r-- 1 root wheel 1K Jan  1 00:00 a\n", nil},
		{"S6.16 a size below zero", "-rw-r--r-- 1 root wheel -1 Jan  1 00:00 a\n", nil},
		{"S6.16 a size beyond 64 bits", "-rw-r--r-- 1 root wheel 18446744073709551616 Jan  1 00:00 a\n", nil},
		{"S6.16 a denied entry", "d????????? ? ? ? ?            ? secret\n", nil},
		{"S6.17 a folder", "drwxr-xr-x 2 root wheel 4096 Jan  1 00:00 d\n", []abi.FileEntry{directory("/w/d")}},
		{"S6.17 a socket", "srw-r--r-- 1 root wheel 0 Jan  1 00:00 s\n", []abi.FileEntry{other("/w/s")}},
		{"S6.17 a pipe", "prw-r--r-- 1 root wheel 0 Jan  1 00:00 p\n", []abi.FileEntry{other("/w/p")}},
		{"S6.17 a type that isn't ASCII", "érw-r--r-- 1 root wheel 0 Jan  1 00:00 p\n", []abi.FileEntry{other("/w/p")}},
		{"S6.17 the mark of SELinux", "drwxr-xr-x. 2 root wheel 4096 Jan  1 00:00 d\n", []abi.FileEntry{directory("/w/d")}},
		{"S6.17 the mark of an ACL", "-rw-r--r--+ 2 root wheel 12 Jan  1 00:00 a\n", []abi.FileEntry{file("/w/a")}},
		{"S6.17 the mark of attributes", "lrwxrwxrwx@ 2 root wheel 4 Jan  1 00:00 l -> a\n", []abi.FileEntry{symlink("/w/l")}},
		{"S6.18 a symlink", "lrwxrwxrwx 1 root wheel 4 Jan  1 00:00 l -> ../a b\n", []abi.FileEntry{symlink("/w/l")}},
		{"S6.18 the first arrow counts", "lrwxrwxrwx 1 root wheel 4 Jan  1 00:00 l -> b -> c\n", []abi.FileEntry{symlink("/w/l")}},
		{"S6.18 a symlink without a target", "lrwxrwxrwx 1 root wheel 4 Jan  1 00:00 l\n", []abi.FileEntry{symlink("/w/l")}},
		{"S6.18 an arrow in the name of a file", "-rw-r--r-- 1 root wheel 12 Jan  1 00:00 a -> b\n", []abi.FileEntry{file("/w/a -> b")}},
		{"S6.19 the folder and its parent", "drwxr-xr-x 2 root wheel 4096 Jan  1 00:00 .\ndrwxr-xr-x 2 root wheel 4096 Jan  1 00:00 ..\n", nil},
		{"S6.19 a symlink called as the parent", "lrwxrwxrwx 1 root wheel 4 Jan  1 00:00 .. -> /\n", nil},
		{"S6.19 it isn't asked for its mode", "? 2 root wheel 4096 Jan  1 00:00 .\n", nil},
		{"S6.19 names that begin with a dot", "-rw-r--r-- 1 root wheel 12 Jan  1 00:00 ...\n", []abi.FileEntry{file("/w/...")}},
		{"S6.8 bytes that aren't UTF-8", "-rw-r--r-- 1 root wheel 12 Jan  1 00:00 \xff\xe2\x82a\n", []abi.FileEntry{file("/w/\ufffd\ufffda")}},
		{"S6.20 an absolute name", "-rw-r--r-- 1 root wheel 12 Jan  1 00:00 /etc/hosts\n", []abi.FileEntry{file("/etc/hosts")}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			got, err := listing.Parse([]byte(test.output), "/w")
			if err != nil || len(got) != len(test.want) {
				t.Fatalf("got %+v (%v), want %+v", got, err, test.want)
			}
			if diff := cmp.Diff(test.want, append([]abi.FileEntry(nil), got...)); diff != "" {
				t.Errorf("the entries differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestThePathIsTheBaseAndTheName(t *testing.T) {
	const line = "-rw-r--r-- 1 root wheel 12 Jan  1 00:00 a\n"
	for _, test := range []struct{ rule, base, want string }{
		{"S6.20 a folder", "/w", "/w/a"},
		{"S6.20 slashes at its end", "/w//", "/w/a"},
		{"S6.20 the root", "/", "/a"},
		{"S6.20 only slashes", "//", "/a"},
		{"S6.20 nothing", "", "/a"},
		{"S6.20 a relative one", "src", "src/a"},
		{"S6.20 it isn't made any simpler", "./src/..", "./src/../a"},
	} {
		got, err := listing.Parse([]byte(line), test.base)
		if err != nil || len(got) != 1 || got[0].Path != test.want {
			t.Errorf("%s: %+v (%v), want the path %q", test.rule, got, err, test.want)
		}
	}
}

func TestTheBaseMayBeAFile(t *testing.T) {
	for _, test := range []struct{ rule, base, want string }{
		{"S6.20 ls prints an absolute path as it got it", "/w/a.txt", "/w/a.txt"},
		{"S6.20 a relative one is joined to itself", "a.txt", "a.txt/a.txt"},
	} {
		got, err := listing.Parse([]byte("-rw-r--r-- 1 root wheel 12 Jan  1 00:00 "+test.base+"\n"), test.base)
		if err != nil || len(got) != 1 || got[0].Path != test.want {
			t.Errorf("%s: %+v (%v), want the path %q", test.rule, got, err, test.want)
		}
	}
}

func TestAModeThatCantBeReadIsAnError(t *testing.T) {
	for _, test := range []struct {
		rule, mode string
		want       abi.PermissionsProblem
	}{
		{"S6.21 too long", "-rw-r--r--++", abi.ErrPermissionsLength},
		{"S6.21 too short", "l", abi.ErrPermissionsLength},
		{"S6.21 a flag", "-rq-r--r--", abi.ErrPermissionsWrite},
		{"S6.21 a flag of a symlink", "lrwzrwxrwx", abi.ErrPermissionsExec},
		{"S6.21 a mark twice", "drwxr-xr-x.+", abi.ErrPermissionsLength},
	} {
		_, err := listing.Parse([]byte("total 0\n"+test.mode+" 1 root wheel 12 Jan  1 00:00 a\n"), "/w")
		var failure *listing.LineError
		if !errors.As(err, &failure) || failure.Line != 2 || !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %q in line 2", test.rule, err, test.want)
		}
	}
}
