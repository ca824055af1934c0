package paths_test

import (
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/paths"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestFoldersAboveTheWorkspaceAreRealAsWell(t *testing.T) {
	policy, err := workspace.NewPolicy("/home/me", workspace.Grant{Path: "/data/set"})
	if err != nil {
		t.Fatal(err)
	}
	files := workspace.New(workspace.Config{Policy: policy})
	if err := errors.Join(files.Mkdir("dir", 0), files.Symlink("dir", "link")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"/home/me/link": "/home/me/dir",
		"/home/me":      "/home/me",
		"/home/":        "/home",
		"/":             "/",
		"/data/../data": "/data",
		"/etc":          "",
		"/home/m":       "",
		"/home/me/none": "/home/me/none", "/home/me/none/x": "",
	} {
		if got, err := paths.Real(files, name); got != want || (err != nil) != (want == "") {
			t.Errorf("%s is %q, want %q: %v", name, got, want, err)
		}
	}
}
