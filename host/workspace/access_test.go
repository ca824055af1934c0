package workspace_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func newShared(t *testing.T) *workspace.Tree {
	t.Helper()
	policy := must(workspace.NewPolicy("", workspace.Grant{Path: "/data", ReadOnly: true}))(t)
	tree := workspace.New(workspace.Config{Policy: policy})
	for name, mode := range map[string]fs.FileMode{"open": 0o777, "closed": 0o700, "hers": 0o750, "listed": 0o744} {
		check(t, tree.Mkdir(name, mode))
		check(t, tree.WriteFile(name+"/file", nil, 0o640))
		check(t, tree.WriteFile(name+"/all", nil, 0o666))
		check(t, tree.WriteFile(name+"/odd", nil, 0o077))
		for _, file := range []string{name, name + "/file", name + "/odd"} {
			check(t, tree.Chown(file, "alice", "staff"))
		}
	}
	check(t, tree.Symlink("../closed/all", "open/link"))
	check(t, tree.Symlink("nothing", "open/dangling"))
	check(t, tree.Symlink("loop", "open/loop"))
	return tree
}

// S6.12
func TestAccessIsWhatTheCommandTestSays(t *testing.T) {
	tree := newShared(t)
	alice := workspace.Actor{User: "alice"}
	bob := workspace.Actor{User: "bob", Groups: []string{"video", "staff"}}
	carol := workspace.Actor{User: "carol"}
	staff := workspace.Actor{User: "staff"}
	const r, w, x = workspace.MayRead, workspace.MayWrite, workspace.MayExecute
	for _, c := range []struct {
		name  string
		actor workspace.Actor
		path  string
		want  workspace.Permission
		err   error
	}{
		{"the owner reads", alice, "open/file", r, nil},
		{"the owner writes", alice, "open/file", r | w, nil},
		{"the owner executes", alice, "open/file", x, workspace.EACCES},
		{"the group reads", bob, "open/file", r, nil},
		{"the group writes", bob, "open/file", w, workspace.EACCES},
		{"a user's own group reads", staff, "open/file", r, nil},
		{"others read", carol, "open/file", r, workspace.EACCES},
		{"others read what all may", carol, "open/all", r | w, nil},
		{"only the owner's bits are the owner's", alice, "open/odd", r, workspace.EACCES},
		{"only the group's bits are the group's", bob, "open/odd", r | w | x, nil},
		{"others reach into a closed folder", carol, "closed/all", r, workspace.EACCES},
		{"others see that it is there", carol, "closed", 0, nil},
		{"the owner reaches into a closed folder", alice, "closed/all", r, nil},
		{"the group reaches into a folder of its own", bob, "hers/all", r, nil},
		{"others reach into it", carol, "hers/all", r, workspace.EACCES},
		{"others list a folder without reaching into it", carol, "listed", r, nil},
		{"but don't reach into it", carol, "listed/all", r, workspace.EACCES},
		{"nor learn what isn't in it", carol, "listed/missing", r, workspace.EACCES},
		{"a symlink leads into a closed folder", carol, "open/link", r, workspace.EACCES},
		{"for the owner it leads on", alice, "open/link", r, nil},
		{"nothing is read", alice, "open/missing", r, workspace.ENOENT},
		{"nothing is read and written", alice, "open/missing", r | w, workspace.ENOENT},
		{"nothing is there", alice, "open/missing", 0, workspace.ENOENT},
		{"a new file", carol, "open/missing", w, nil},
		{"new folders", carol, "open/new/folder/file", w, nil},
		{"a new file in a folder of others", carol, "hers/missing", w, workspace.EACCES},
		{"a new file in a folder that one can't reach into", carol, "listed/missing", w, workspace.EACCES},
		{"a new file in the root", carol, "missing", w, workspace.EACCES},
		{"a new file through a symlink", carol, "open/dangling", w, nil},
		{"a file below a file", alice, "open/file/x", w, workspace.ENOTDIR},
		{"a loop", alice, "open/loop", r, workspace.ELOOP},
		{"root does everything", workspace.Actor{User: "root"}, "closed/odd", r | w | x, nil},
		{"nobody in particular does everything", workspace.Actor{}, "closed/odd", r | w | x, nil},
		{"root reads nothing", workspace.Actor{User: "root"}, "closed/missing", r, workspace.ENOENT},
		{"root writes to a grant for reading", workspace.Actor{User: "root"}, "/data", w, workspace.EROFS},
		{"all read a grant", carol, "/data", r | x, nil},
		{"all look outside", carol, "/etc", r, workspace.EPERM},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := tree.Access(c.path, c.actor, c.want); !errors.Is(err, c.err) {
				t.Errorf("%v, want %v", err, c.err)
			}
		})
	}
}

func TestAccessChangesNothing(t *testing.T) {
	tree := newShared(t)
	before := state(tree)
	check(t, tree.Access("open/new/file", workspace.Actor{User: "bob"}, workspace.MayWrite))
	if state(tree) != before {
		t.Error("something changed")
	}
}
