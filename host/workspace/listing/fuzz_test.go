package listing_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/listing"
)

// FuzzParse makes sure that no output makes it panic, and that all it answers can
// go into a message.
func FuzzParse(f *testing.F) {
	f.Add(listing.Format(sample(), listing.Options{Total: true}), "/w")
	f.Add([]byte("crw-r--r-- 1 root wheel 1, 3 Jan  1 00:00 null\r\n\xff"), "")
	f.Add([]byte("lrwxrwxrwx. 1 a b 1 Jan  1 00:00 l -> b -> c\u2029"), "//")
	f.Fuzz(func(t *testing.T, output []byte, base string) {
		entries, err := listing.Parse(output, base)
		var failure *listing.LineError
		if err != nil && (!errors.As(err, &failure) || failure.Line < 1) {
			t.Fatalf("the error is %v", err)
		}
		for _, e := range entries {
			if e.Owner == "" || e.Group == "" || !utf8.ValidString(e.Owner+e.Group) {
				t.Errorf("the owner is %q, the group %q", e.Owner, e.Group)
			}
			if path := strings.TrimPrefix(e.Path, strings.TrimRight(base, "/")); !strings.HasPrefix(path, "/") {
				t.Errorf("the path %q isn't below %q, nor absolute", e.Path, base)
			}
		}
	})
}

// FuzzFormat makes sure that an entry is read as it was printed, if a line can
// hold it.
func FuzzFormat(f *testing.F) {
	f.Add("a b", "", "root", "root", uint32(0o644), int64(7), int64(0), int64(1))
	f.Add("l", "a -> b", "ü", "0", uint32(fs.ModeSymlink|0o777), int64(1), int64(1)<<62, int64(-1))
	f.Add("d", "", "", "", uint32(fs.ModeDir|fs.ModeSticky|0o776), int64(-1), int64(-1)<<63, int64(1)<<62)
	f.Fuzz(func(t *testing.T, name, target, owner, group string, mode uint32, size, modified, now int64) {
		entry := listing.Entry{
			Name: name, Target: target, Owner: owner, Group: group,
			Mode: fs.FileMode(mode), Size: size, Modified: modified, Links: 1,
		}
		output := listing.Format([]listing.Entry{entry}, listing.Options{Total: true, Now: now})
		if !fits(entry) {
			return
		}
		got, err := listing.Parse(output, "/w")
		if diff := cmp.Diff([]abi.FileEntry{expected(entry)}, got); diff != "" || err != nil {
			t.Errorf("%q is read with a difference (%v; -want +got):\n%s", output, err, diff)
		}
	})
}

// fits says whether a line can hold the entry.
func fits(e listing.Entry) bool {
	name, line := strings.Fields(e.Name), strings.Join([]string{e.Name, e.Target, e.Owner, e.Group}, "|")
	switch {
	case len(name) == 0, !strings.HasPrefix(e.Name, name[0]), e.Name == ".", e.Name == "..", strings.HasPrefix(e.Name, "/"),
		strings.ContainsAny(line, "\n\v\f\r\x1c\x1d\x1e\x1f\u0085\u2028\u2029"), !utf8.ValidString(line),
		len(strings.Fields(e.Owner+"|"+e.Group)) != 1, e.Owner+e.Group != strings.Join(strings.Fields(e.Owner+e.Group), ""):
		return false
	}
	return e.Mode&fs.ModeSymlink == 0 || !strings.Contains(e.Name+" ", " -> ")
}

func expected(e listing.Entry) abi.FileEntry {
	entry := abi.FileEntry{
		Path: "/w/" + e.Name, Permissions: abi.Permissions(e.Mode.Perm()), Owner: e.Owner, Group: e.Group,
		Size: uint64(max(e.Size, 0)),
	}
	switch e.Mode.Type() {
	case 0:
	case fs.ModeDir:
		entry.Kind = abi.FileKindDirectory
		entry.Permissions |= abi.DirectoryBit
	case fs.ModeSymlink:
		entry.Kind = abi.FileKindSymlink
	default:
		entry.Kind = abi.FileKindOther
	}
	if e.Mode&(fs.ModeDevice|fs.ModeCharDevice) != 0 {
		entry.Size = 0
	}
	if entry.Owner == "" {
		entry.Owner = "?"
	}
	if entry.Group == "" {
		entry.Group = "?"
	}
	return entry
}
