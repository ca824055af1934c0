package workspace_test

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// S6.64
func TestTheRootIsAbsoluteAndNormalised(t *testing.T) {
	for root, want := range map[string]string{
		"": "/workspace", "/": "/", "/w": "/w", "/w/": "/w", "/a/../w": "/w", "/a//b/./c": "/a/b/c", `\a\b`: "/a/b", "/..": "/", "///a": "/a",
	} {
		policy, err := workspace.NewPolicy(root)
		if err != nil || policy.Root() != want {
			t.Errorf("%q: %q %v, want %q", root, policy.Root(), err, want)
		}
	}
	for _, root := range []string{"w", "./w", "../w", "C:/w", `C:\w`, "//w", `\\server\w`, "/a\x00", "/\xff", "/" + strings.Repeat("a", 5000)} {
		policy, err := workspace.NewPolicy(root)
		if e, ok := errors.AsType[*workspace.PolicyError](err); !ok || e.Path != root || e.Grant {
			t.Errorf("%q: %q, %v", root, policy.Root(), err)
		}
	}
}

// S6.71
func TestGrantsAreAbsoluteAndNotForAll(t *testing.T) {
	policy := must(workspace.NewPolicy("", workspace.Grant{Path: `\data\x/..`}, workspace.Grant{Path: "/ro/", ReadOnly: true}))(t)
	want := []workspace.Grant{{Path: "/data"}, {Path: "/ro", ReadOnly: true}}
	if got := policy.Grants(); len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("grants %+v", got)
	}
	policy.Grants()[0].Path = "/etc"
	if policy.Grants()[0] != want[0] {
		t.Error("the caller changed the grants")
	}
	for _, grant := range []string{"", "/", "/..", "data", "C:/data", "//data", `\\server\data`, "/a\x00"} {
		_, err := workspace.NewPolicy("", workspace.Grant{Path: grant})
		if e, ok := errors.AsType[*workspace.PolicyError](err); !ok || !e.Grant {
			t.Errorf("a grant of %q: %v", grant, err)
		}
	}
}

func TestPathsAreNormalised(t *testing.T) {
	policy := must(workspace.NewPolicy("/workspace", workspace.Grant{Path: "/data"}, workspace.Grant{Path: "/data/ro", ReadOnly: true},
		workspace.Grant{Path: "/data/ro/rw"}))(t)
	for _, c := range []struct {
		name, want     string
		escape, rel    string // reason and path of the error
		readOnly       string // grant, when it is to be written
		relative       string // "": none
		statement, why string
	}{
		{statement: "S6.64", name: `a\b`, want: "/workspace/a/b", relative: "a/b"},
		{statement: "S6.64", name: "a//b/./c/", want: "/workspace/a/b/c", relative: "a/b/c"},
		{statement: "S6.65", name: "", want: "/workspace", relative: "."},
		{statement: "S6.65", name: ".", want: "/workspace", relative: "."},
		{statement: "S6.65", name: "a/../b", want: "/workspace/b", relative: "b"},
		{statement: "S6.65", name: "a/..", want: "/workspace", relative: "."},
		{statement: "S6.65", name: "../workspace/a", want: "/workspace/a", relative: "a"},
		{statement: "S6.65", name: "../workspace", want: "/workspace", relative: "."},
		{statement: "S6.65", name: "../x", escape: "escape_root", rel: "../x"},
		{statement: "S6.65", name: "..", escape: "escape_root", rel: ".."},
		{statement: "S6.65", name: "../workspacex", escape: "escape_root", rel: "../workspacex"},
		{statement: "S6.65", name: "a/../../x", escape: "escape_root", rel: "a/../../x"},
		{statement: "S6.66", name: "/workspace", want: "/workspace", relative: "."},
		{statement: "S6.66", name: "/workspace/a/../b", want: "/workspace/b", relative: "b"},
		{statement: "S6.66", name: "/workspace/../workspace/b", want: "/workspace/b", relative: "b"},
		{statement: "S6.66", name: "/data", want: "/data"},
		{statement: "S6.66", name: "/data/x", want: "/data/x"},
		{statement: "S6.66", name: "/workspace/../data/x", want: "/data/x"},
		{statement: "S6.66", name: "/datax", escape: "absolute", rel: "/datax"},
		{statement: "S6.66", name: "/data/../etc", escape: "absolute", rel: "/data/../etc"},
		{statement: "S6.66", name: "/workspacex", escape: "absolute", rel: "/workspacex"},
		{statement: "S6.66", name: "/", escape: "absolute", rel: "/"},
		{statement: "S6.66", name: "../data/x", escape: "escape_root", rel: "../data/x", why: "a relative path into a grant"},
		{statement: "S6.67", name: "/data/ro", want: "/data/ro", readOnly: "/data/ro"},
		{statement: "S6.67", name: "/data/ro/x", want: "/data/ro/x", readOnly: "/data/ro"},
		{statement: "S6.67", name: "/data/rox", want: "/data/rox"},
		{statement: "S6.67", name: "/data/ro/rw/x", want: "/data/ro/rw/x", why: "for writing in one for reading"},
		{statement: "S6.68", name: "C:/x", escape: "absolute", rel: "C:/x"},
		{statement: "S6.68", name: `c:\x\y`, escape: "absolute", rel: "c:/x/y"},
		{statement: "S6.68", name: `\\server\share`, escape: "absolute", rel: "//server/share"},
		{statement: "S6.68", name: "//workspace/a", escape: "absolute", rel: "//workspace/a"},
		{statement: "S6.68", name: "///workspace/a", want: "/workspace/a", relative: "a", why: "three slashes are one"},
		{statement: "S6.68", name: "C:x", want: "/workspace/C:x", relative: "C:x", why: "a name on POSIX"},
	} {
		t.Run(c.statement+" "+c.name, func(t *testing.T) {
			got, err := policy.Normalize(c.name)
			escape, escapes := errors.AsType[*workspace.EscapeError](err)
			switch {
			case got != c.want, escapes != (c.escape != ""), err != nil && !escapes:
				t.Errorf("%q %v", got, err)
			case escapes && (escape.Reason != c.escape || escape.Path != c.rel || escape.Resolved != "" || !errors.Is(err, fs.ErrPermission)):
				t.Errorf("%+v", escape)
			}
			written, err := policy.NormalizeForWrite(c.name)
			readOnly, refused := errors.AsType[*workspace.ReadOnlyError](err)
			switch {
			case refused != (c.readOnly != ""), !refused && written != c.want:
				t.Errorf("to be written: %q %v", written, err)
			case refused && (readOnly.Grant != c.readOnly || readOnly.Path != c.name || !errors.Is(err, workspace.EROFS)):
				t.Errorf("%+v", readOnly)
			}
			// S6.69
			relative, err := policy.Relative(c.name)
			if relative != c.relative || (err == nil) != (c.relative != "") {
				t.Errorf("relative: %q %v", relative, err)
			}
		})
	}
}

// S6.67
func TestTheLongestGrantDecides(t *testing.T) {
	grants := []workspace.Grant{{Path: "/a/b", ReadOnly: true}, {Path: "/a"}, {Path: "/a/b/c"}}
	for range grants {
		grants = append(grants[1:], grants[0])
		policy := must(workspace.NewPolicy("", grants...))(t)
		for name, refused := range map[string]bool{"/a/x": false, "/a/b": true, "/a/b/x": true, "/a/b/c": false, "/a/b/c/x": false, "/a/bc": false} {
			if _, err := policy.NormalizeForWrite(name); (err != nil) != refused {
				t.Errorf("%s with %+v: %v", name, grants, err)
			}
			tree := workspace.New(workspace.Config{Policy: policy})
			if err := tree.MkdirAll(name, 0); (err != nil) != refused {
				t.Errorf("%s with %+v: %v", name, grants, err)
			}
		}
	}
}

func TestWhatIsBelowTheRootIsOfNoGrant(t *testing.T) {
	policy := must(workspace.NewPolicy("/a/root", workspace.Grant{Path: "/a"}, workspace.Grant{Path: "/a/b", ReadOnly: true}))(t)
	for name, want := range map[string]workspace.Grant{
		"/a": {Path: "/a"}, "/a/bc": {Path: "/a"}, "/a/b/x": {Path: "/a/b", ReadOnly: true}, "/a/root": {}, "/a/root/x": {}, "/x": {},
	} {
		if got, found := policy.GrantOf(name); got != want || found != (want.Path != "") {
			t.Errorf("%s is of %+v, %v, want %+v", name, got, found, want)
		}
	}
}

func TestTheRootNeedsNoGrant(t *testing.T) {
	policy := must(workspace.NewPolicy("/data/w", workspace.Grant{Path: "/data", ReadOnly: true}, workspace.Grant{Path: "/data/w/in", ReadOnly: true}))(t)
	tree := workspace.New(workspace.Config{Policy: policy})
	check(t, tree.MkdirAll("in/x", 0))
	if err := tree.Mkdir("/data/x", 0); !errors.Is(err, workspace.EROFS) {
		t.Error(err)
	}
	tree.Clear()
	check(t, tree.Invariants())
}

func TestOfTwoEqualGrantsTheFirstCounts(t *testing.T) {
	policy := must(workspace.NewPolicy("", workspace.Grant{Path: "/d", ReadOnly: true}, workspace.Grant{Path: "/d"}))(t)
	tree := workspace.New(workspace.Config{Policy: policy})
	check(t, tree.Symlink("/d/x", "link"))
	for _, name := range []string{"/d/x", "link"} {
		if err := tree.WriteFile(name, nil, 0); !errors.Is(err, workspace.EROFS) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheZeroPolicyHasTheDefaultRoot(t *testing.T) {
	var policy workspace.Policy
	if got, err := policy.Normalize("a"); got != "/workspace/a" || err != nil || policy.Root() != workspace.DefaultRoot {
		t.Errorf("%q %v", got, err)
	}
	if got, err := policy.Relative("/workspace/a"); got != "a" || err != nil {
		t.Errorf("%q %v", got, err)
	}
}

func TestARootThatIsTheTop(t *testing.T) {
	policy := must(workspace.NewPolicy("/"))(t)
	tree := workspace.New(workspace.Config{Policy: policy})
	check(t, tree.WriteFile("a", nil, 0))
	check(t, tree.Symlink("/a", "link"))
	check(t, tree.Symlink("../../a", "up"))
	for _, name := range []string{"a", "/a", "link", "up", "../a"} {
		if _, err := tree.ReadFile(name); err != nil {
			t.Error(err)
		}
	}
	h := must(tree.Open("/", workspace.OpenOptions{}))(t)
	check(t, h.Close())
	if info := must(tree.Stat("/"))(t); info.Name != "/" || !info.Mode.IsDir() {
		t.Errorf("%+v", info)
	}
	if got := must(policy.Relative("/a"))(t); got != "a" {
		t.Errorf("relative %q", got)
	}
	if err := tree.RemoveAll("/"); !errors.Is(err, workspace.EBUSY) {
		t.Error(err)
	}
	tree.Clear()
	check(t, tree.Invariants())
	if bytes, files := tree.Usage(); bytes != 0 || files != 0 {
		t.Errorf("%d bytes in %d files", bytes, files)
	}
}

func FuzzPaths(f *testing.F) {
	for _, name := range []string{"a", "../x", "/workspace/a", "/data/x", `C:\x`, "//x", "a/../../workspace/b", "/data/../workspace", "a\x00"} {
		f.Add("/workspace", "/data", name)
		f.Add("/", "/data/b", name)
	}
	f.Fuzz(func(t *testing.T, root, grant, name string) {
		policy, err := workspace.NewPolicy(root, workspace.Grant{Path: grant, ReadOnly: true})
		if err != nil {
			return
		}
		tree := workspace.New(workspace.Config{Policy: policy})
		before := state(tree)
		clean, err := policy.Normalize(name)
		if err == nil {
			below := func(root string) bool {
				return clean == root || strings.HasPrefix(clean, strings.TrimSuffix(root, "/")+"/")
			}
			if path.Clean(clean) != clean || !path.IsAbs(clean) || !below(policy.Root()) && !below(policy.Grants()[0].Path) {
				t.Errorf("%q is %q", name, clean)
			}
			if again, err := policy.Normalize(clean); err != nil || again != clean {
				t.Errorf("%q is %q, which is %q: %v", name, clean, again, err)
			}
			if rel, err := policy.Relative(name); err == nil && path.Join(policy.Root(), rel) != clean {
				t.Errorf("%q is %q", name, rel)
			}
		}
		if err := tree.MkdirAll(name, 0); err != nil && state(tree) != before {
			t.Errorf("%q: %v, but something changed", name, err)
		} else if _, statErr := tree.Stat(name); err == nil && statErr != nil {
			t.Errorf("%q: %v", name, statErr)
		}
		_ = tree.Symlink(name, "link")
		_ = tree.WriteFile("link", []byte("x"), 0)
		_ = tree.Rename(name, "renamed")
		_ = tree.Remove(name)
		check(t, tree.Invariants())
	})
}
