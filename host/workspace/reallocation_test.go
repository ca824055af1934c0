package workspace_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestNoLargeArrayIsMadeUnderTheLock(t *testing.T) {
	const large = 8 << 20
	type offer struct {
		leaves func(h *workspace.Handle) bool
		change func(h *workspace.Handle) error
		size   int64 // then
	}
	write := func(offset, size int64) offer {
		return offer{
			func(h *workspace.Handle) bool { return h.LeavesLockToWrite([]byte("x"), offset) },
			func(h *workspace.Handle) error { _, err := h.WriteAt([]byte("x"), offset); return err }, size,
		}
	}
	truncate := func(size int64) offer {
		return offer{
			func(h *workspace.Handle) bool { return h.LeavesLockToTruncate(size) },
			func(h *workspace.Handle) error { return h.Truncate(size) }, size,
		}
	}
	for name, test := range map[string]offer{
		"to make it longer":                    truncate(2 * large),
		"to make it shorter":                   truncate(large / 2),
		"to append":                            write(large, large+1),
		"to write far behind it":               write(2*large, 2*large+1),
		"to write into what somebody has read": write(5, large),
	} {
		t.Run(name, func(t *testing.T) {
			w := workspace.New(workspace.Config{})
			was := bytes.Repeat([]byte("a"), large)
			check(t, w.WriteFile("f", was, 0))
			h := must(w.Open("f", readWrite))(t)
			if !test.leaves(h) || h.Info().Size != large {
				t.Fatalf("it was done under the lock: %d bytes", h.Info().Size)
			}
			check(t, test.change(h))
			got := must(w.ReadFile("f"))(t)
			if written := bytes.IndexByte(got, 'x'); written >= 0 {
				got = append(bytes.Clone(got[:written]), got[written+1:]...)
			}
			kept := bytes.TrimRight(got, "\x00")
			if h.Info().Size != test.size || !bytes.HasPrefix(was, kept) || int64(len(kept)) < min(test.size, large)-1 {
				t.Errorf("%d bytes, the first %d are kept", h.Info().Size, len(kept))
			}
			if bytes.Count(was, []byte("a")) != large {
				t.Error("what was read has changed")
			}
			check(t, w.Invariants(h))
		})
	}
}

// An array that is made for content which others change meanwhile is made again, and at
// last under the lock.
func TestNoChangeIsLostWhileAnArrayIsMade(t *testing.T) {
	const large, writers, writes = 4 << 20, 3, 20
	w := workspace.New(workspace.Config{})
	check(t, w.WriteFile("f", make([]byte, large), 0))
	var all sync.WaitGroup
	for i := range writers {
		h := must(w.Open("f", readWrite))(t)
		defer func() { check(t, h.Close()) }()
		all.Go(func() {
			for k := range writes {
				if _, err := h.WriteAt([]byte{1}, int64(i*writes+k)); err != nil {
					t.Error(err)
				}
				if _, err := h.Append(make([]byte, 1000)); err != nil {
					t.Error(err)
				}
				if _, err := w.ReadFile("f"); err != nil { // so that the next write copies it
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	got := must(w.ReadFile("f"))(t)
	if len(got) != large+writers*writes*1000 || bytes.Count(got, []byte{1}) != writers*writes {
		t.Errorf("%d bytes, %d writes", len(got), bytes.Count(got, []byte{1}))
	}
}
