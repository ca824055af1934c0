package archive

import (
	"context"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// meddling is a context that changes something each time it is looked at.
type meddling struct {
	context.Context
	meddle func()
}

func (m meddling) Err() error { m.meddle(); return nil }

// S6.32: nor does it go through a symlink that somebody makes while it is at work.
func TestExtractionStopsAtSymlinksThatAppear(t *testing.T) {
	for name, at := range map[string]struct{ path, link, member, reason string }{
		"a folder of a member":      {"x.tar", "sub", "sub/2", "symlink in parent path: sub"},
		"the folder of the archive": {"in/x.tar", "in", "2", "symlink in parent path"},
	} {
		policy, err := workspace.NewPolicy("", workspace.Grant{Path: "/rw"})
		must(t, err)
		tree := workspace.New(workspace.Config{Policy: policy})
		first, second := "sub/1", "sub/2"
		if at.link == "in" {
			first, second = "1", "2"
		}
		ctx := meddling{t.Context(), func() {
			if info, err := tree.Lstat(at.link + "/1"); err == nil && info.Size == 1 {
				must(t, tree.RemoveAll(at.link))
				must(t, tree.Symlink("/rw", at.link))
			}
		}}
		err = Extract(ctx, tree, ExtractOptions{Path: at.path, Data: makeTar(t, file(first, "1"), file(second, "2"))})
		wantMember(t, err, at.member, at.reason)
		if list, err := tree.ReadDir("/rw"); err != nil || len(list) > 0 {
			t.Errorf("%s: the grant has %v, %v", name, list, err)
		}
	}
}
