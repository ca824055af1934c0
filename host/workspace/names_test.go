package workspace_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestNamesAndTheirLengths(t *testing.T) {
	// With the root and its slash, "/workspace/", it is 4095 bytes, the longest.
	longest := strings.Repeat(strings.Repeat("n", 199)+"/", 20) + strings.Repeat("n", 84)
	for name, c := range map[string]struct {
		path string
		want error
	}{
		"a name of 255 bytes":  {strings.Repeat("n", 255), nil},
		"a name of 256 bytes":  {strings.Repeat("n", 256), workspace.ENAMETOOLONG},
		"255 bytes, not runes": {strings.Repeat("é", 127) + "x", nil},
		"256 bytes, not runes": {strings.Repeat("é", 128), workspace.ENAMETOOLONG},
		"a path of 4095 bytes": {longest, nil},
		"a path of 4096 bytes": {longest + "n", workspace.ENAMETOOLONG},
		"a NUL byte":           {"a\x00b", workspace.EINVAL},
		"invalid UTF-8":        {"a\xffb", workspace.EILSEQ},
		"a surrogate":          {"a\xed\xa0\x80b", workspace.EILSEQ},
		"dots":                 {"...", nil},
		"a new line":           {"a\nb", nil},
		"spaces":               {" ", nil},
		"an option":            {"-rf", nil},
		"a drive":              {"C:", nil},
		"an emoji":             {"🦑", nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := workspace.New(workspace.Config{})
			before := state(w)
			err := w.MkdirAll(c.path, 0)
			wants(t, w, before, err, c.want)
			if err != nil {
				return
			}
			check(t, w.Remove(c.path))
			check(t, w.WriteFile(c.path, nil, 0))
			if _, err := w.ReadFile(c.path); err != nil {
				t.Error(err)
			}
			if len(c.path) < 256 {
				h := rootOf(t, w)
				check(t, h.Symlink(c.path, "link"))
				check(t, h.Rename(c.path, h, "moved"))
				check(t, h.Rename("moved", h, c.path))
				must(h.Stat(c.path, true))(t)
			}
		})
	}
}

func TestNamesThatNoOperationTakes(t *testing.T) {
	w := newTree(t)
	h := rootOf(t, w)
	before := state(w)
	for path, want := range map[string]error{
		"a\x00": workspace.EINVAL, "\xff": workspace.EILSEQ, strings.Repeat("n", 256): workspace.ENAMETOOLONG,
		strings.Repeat("a/", 2048): workspace.ENAMETOOLONG, "": workspace.ENOENT,
	} {
		for name, err := range map[string]error{
			"open": second(h.Open(path, readWrite)), "mkdir": h.Mkdir(path, 0), "unlink": h.Unlink(path), "rmdir": h.Rmdir(path),
			"rename": h.Rename(path, h, "x"), "rename to": h.Rename("dir", h, path), "link": h.Link(path, true, h, "x"),
			"link to": h.Link("dir/file", true, h, path), "symlink": h.Symlink("x", path), "readlink": second(h.Readlink(path)),
			"stat": second(h.Stat(path, true)), "times": h.SetTimesAt(path, true, nil, nil),
		} {
			if !errors.Is(err, want) || state(w) != before {
				t.Errorf("%s %.10q: %v, want %v", name, path, err, want)
			}
		}
		if err := h.Symlink(path, "x"); !errors.Is(err, want) && len(path) != 256 {
			t.Errorf("to %.10q: %v, want %v", path, err, want)
		}
		_ = h.Unlink("x") // which a long name is
		before = state(w)
	}
}
