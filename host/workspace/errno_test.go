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

func TestErrnoOf(t *testing.T) {
	for want, all := range map[workspace.Errno][]error{
		0:                 {nil, errors.New("another")},
		workspace.ENOTDIR: {workspace.ENOTDIR, &fs.PathError{Err: workspace.ENOTDIR}},
		workspace.ENOSPC:  {&fs.PathError{Err: &workspace.LimitError{}}},
		workspace.EPERM:   {&fs.PathError{Err: &workspace.EscapeError{}}},
		workspace.EROFS:   {&fs.PathError{Err: &workspace.ReadOnlyError{}}},
		workspace.EINVAL:  {&workspace.KindError{}, fs.ErrInvalid},
		workspace.ENOENT:  {fs.ErrNotExist, &fs.PathError{Err: fs.ErrNotExist}},
		workspace.EEXIST:  {fs.ErrExist},
		workspace.EACCES:  {fs.ErrPermission},
		workspace.EBADF:   {fs.ErrClosed},
	} {
		for _, err := range all {
			if got := workspace.ErrnoOf(err); got != want {
				t.Errorf("%v: got %v, want %v", err, got, want)
			}
		}
	}
	if text := workspace.ENOENT.Text(); text != "No such file or directory" {
		t.Errorf("got %q", text)
	}
}
