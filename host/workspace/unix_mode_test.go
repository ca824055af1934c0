package workspace_test

import (
	"io/fs"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestAModeIsTheNumberThatChmodTakes(t *testing.T) {
	for mode, want := range map[fs.FileMode]uint32{
		0o644: 0o644, fs.ModeSetuid | 0o755: 0o4755, fs.ModeSetgid | 0o770: 0o2770, fs.ModeSticky | 0o777: 0o1777,
		fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky: 0o7000,
	} {
		if got := workspace.UnixMode(mode); got != want {
			t.Errorf("%v is %o, want %o", mode, got, want)
		}
		if got := workspace.FromUnixMode(want); got != mode {
			t.Errorf("%o is %v, want %v", want, got, mode)
		}
	}
	if got := workspace.UnixMode(fs.ModeDir | 0o755); got != 0o755 {
		t.Errorf("the kind is in %o", got)
	}
	if got := workspace.FromUnixMode(0o100644); got != 0o644 {
		t.Errorf("other bits are in %v", got)
	}
}
