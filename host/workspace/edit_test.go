package workspace_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestAFileIsEditedIfItIsWhatItWas(t *testing.T) {
	for _, test := range []struct {
		name         string
		file, target string
		meanwhile    func(w *workspace.Tree) error
		want         error
		after        map[string]string // of those that are files then
	}{
		{name: "in its place", file: "dir/file", target: "dir/file", after: map[string]string{"dir/file": "new"}},
		{
			name: "to another place, with its folders", file: "dir/file", target: "a/b/c",
			after: map[string]string{"a/b/c": "new"},
		},
		{name: "over another file", file: "dir/file", target: "other", after: map[string]string{"other": "new"}},
		{
			name: "to another name of it", file: "dir/file", target: "hard",
			after: map[string]string{"dir/file": "new", "hard": "new"},
		},
		{
			name: "through a symlink, in its place", file: "link", target: "link",
			after: map[string]string{"dir/file": "new", "link": "new"},
		},
		{
			name: "through a symlink, which then is removed", file: "link", target: "c",
			after: map[string]string{"dir/file": "content", "c": "new"},
		},
		{
			name: "it was written", file: "dir/file", target: "c", want: workspace.ErrChanged,
			meanwhile: func(w *workspace.Tree) error { return w.WriteFile("dir/file", []byte("CONTENT"), 0) },
		},
		{
			name: "it was appended to", file: "dir/file", target: "dir/file", want: workspace.ErrChanged,
			meanwhile: func(w *workspace.Tree) error {
				h, err := w.Open("dir/file", workspace.OpenOptions{Append: true})
				if err == nil {
					_, err = h.Append([]byte("x"))
					err = errors.Join(err, h.Close())
				}
				return err
			},
		},
		{
			name: "it was removed", file: "dir/file", target: "dir/file", want: workspace.ErrChanged,
			meanwhile: func(w *workspace.Tree) error { return w.Remove("dir/file") },
		},
		{
			name: "a folder is there now", file: "other", target: "c", want: workspace.ErrChanged,
			meanwhile: func(w *workspace.Tree) error { return errors.Join(w.Remove("other"), w.Mkdir("other", 0)) },
		},
		{name: "the target is a folder", file: "dir/file", target: "dir", want: workspace.EISDIR},
		{name: "the target is below a file", file: "dir/file", target: "other/x/y", want: workspace.ENOTDIR},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newTree(t, "link -> dir/file")
			check(t, w.WriteFile("other", []byte("other"), 0))
			if test.target == "hard" {
				check(t, w.Link("dir/file", "hard"))
			}
			was := must(w.ReadFile(test.file))(t)
			if test.meanwhile != nil {
				check(t, test.meanwhile(w))
			}
			before := state(w)
			err := w.Edit(test.file, test.target, was, []byte("new"))
			wants(t, w, before, err, test.want)
			for name, content := range test.after {
				if got := must(w.ReadFile(name))(t); string(got) != content {
					t.Errorf("%s has %q", name, got)
				}
			}
			if _, err := w.Lstat(test.file); test.want == nil && test.after[test.file] == "" && err == nil {
				t.Errorf("%s is still there", test.file)
			}
		})
	}
}

// What is only there under the old name makes room for the new one.
func TestAnEditThatMovesAFileNeedsRoomForOne(t *testing.T) {
	content := bytes.Repeat([]byte("x"), 60)
	for _, test := range []struct {
		name string
		link bool // the old file has another name
		open bool // somebody has it open
		size int
		want error
	}{
		{name: "as large as may be", size: 100},
		{name: "larger", size: 101, want: workspace.ENOSPC},
		{name: "it has another name", link: true, size: 60, want: workspace.ENOSPC},
		{name: "it is open", open: true, size: 60, want: workspace.ENOSPC},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := workspace.New(workspace.Config{Limits: workspace.Limits{Bytes: 100, Files: 2}})
			check(t, w.WriteFile("f", content, 0))
			if test.link {
				check(t, w.Link("f", "g"))
			}
			h := must(w.Open("f", workspace.OpenOptions{}))(t)
			if !test.open {
				check(t, h.Close())
			}
			before := state(w)
			err := w.Edit("f", "moved", content, make([]byte, test.size))
			_ = h.Close()
			wants(t, w, before, err, test.want)
		})
	}
}

func TestEditsAtTheSameTimeAreAllThere(t *testing.T) {
	const editors, each = 4, 50
	w := workspace.New(workspace.Config{})
	check(t, w.WriteFile("f", nil, 0))
	var all sync.WaitGroup
	for i := range editors {
		all.Go(func() {
			for k := range each {
				line := fmt.Sprintf("%d %d\n", i, k)
				for err := workspace.ErrChanged; errors.Is(err, workspace.ErrChanged); {
					was, _ := w.ReadFile("f")
					err = w.Edit("f", "f", was, append(bytes.Clone(was), line...))
				}
			}
		})
	}
	all.Wait()
	if got := strings.Count(string(must(w.ReadFile("f"))(t)), "\n"); got != editors*each {
		t.Errorf("%d of %d are there", got, editors*each)
	}
}

func TestTheRealPathOfWhatIsMissing(t *testing.T) {
	for _, test := range []struct {
		name, path, want string
		err              error
	}{
		{name: "what is there", path: "dir/file", want: "/workspace/dir/file"},
		{name: "the root", path: ".", want: "/workspace"},
		{name: "a name that is missing", path: "dir/x", want: "/workspace/dir/x"},
		{name: "folders that are missing", path: "x/y/z", want: "/workspace/x/y/z"},
		{name: "below a symlink", path: "out/x/y", want: "/rw/x/y"},
		{name: "below a symlink to nothing", path: "lost/x/y", want: "/rw/no/file/x/y"},
		{name: "outside", path: "away/x/y", err: workspace.EPERM},
		{name: "below a file", path: "dir/file/x", err: workspace.ENOTDIR},
		{name: "no path", err: workspace.ENOENT},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newTree(t, "out -> /rw", "lost -> /rw/no/file", "away -> /etc")
			before := state(w)
			got, err := w.RealpathMissing(test.path)
			wants(t, w, before, err, test.err)
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
