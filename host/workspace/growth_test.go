package workspace_test

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A file that is made longer by a byte again and again would else be copied each time.
func TestAFileThatGrowsIsGivenRoomHoweverItIsWritten(t *testing.T) {
	const large = 8 << 20
	for name, offset := range map[string]int64{"behind its end": large + 1, "at its end": large, "over its end": large - 1, "from its start": 0} {
		t.Run(name, func(t *testing.T) {
			w := workspace.New(workspace.Config{})
			h := must(w.Open("f", workspace.OpenOptions{Read: true, Write: true, Create: true}))(t)
			must(h.WriteAt(make([]byte, large), 0))(t)
			must(h.WriteAt(make([]byte, large+2-offset), offset))(t)
			if h.LeavesLockToWrite([]byte("xy"), h.Info().Size-1) {
				t.Error("it is copied again")
			}
			check(t, w.Invariants(h))
		})
	}
}
