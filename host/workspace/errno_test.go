package workspace_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestReasonsMatchTheErrorsOfPackageFS(t *testing.T) {
	all := []error{fs.ErrNotExist, fs.ErrExist, fs.ErrPermission, fs.ErrInvalid, fs.ErrClosed}
	for errno := workspace.Errno(1); errno <= workspace.EXDEV; errno++ {
		if errno.Error() == "unknown error" {
			t.Errorf("reason %d has no text", errno)
		}
		want := map[workspace.Errno]error{
			workspace.ENOENT: fs.ErrNotExist, workspace.EEXIST: fs.ErrExist, workspace.ENOTEMPTY: fs.ErrExist, workspace.EACCES: fs.ErrPermission,
			workspace.EPERM: fs.ErrPermission, workspace.EROFS: fs.ErrPermission, workspace.EINVAL: fs.ErrInvalid, workspace.EBADF: fs.ErrClosed,
		}[errno]
		for _, target := range all {
			if errors.Is(errno, target) != (target == want) {
				t.Errorf("%v matches %v: %t", errno, target, target != want)
			}
		}
	}
	if got := workspace.Errno(0).Error(); got != "unknown error" {
		t.Errorf("%q", got)
	}
	for _, err := range []error{&workspace.EscapeError{}, &workspace.ReadOnlyError{}} {
		if !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%T isn't about permission", err)
		}
	}
}
