package guest

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/guest/internal/native"
)

// fakeHost has blobs, of which it hands over at most step bytes at a time.
type fakeHost struct {
	native.Absent
	blobs  [][]byte
	step   int
	status int32 // what all functions answer, when it isn't zero
	reads  int
	failed *abi.Panic
}

func (h *fakeHost) Fail(message []byte) int32 {
	h.failed = new(abi.Panic)
	if err := h.failed.Unmarshal(message); err != nil {
		panic(err)
	}
	return 0
}

func (h *fakeHost) BlobRead(handle uint32, offset uint64, p []byte) int32 {
	h.reads++
	if h.status != 0 {
		return h.status
	}
	return int32(copy(p[:min(len(p), h.step)], h.blobs[handle][min(offset, uint64(len(h.blobs[handle]))):]))
}

func (h *fakeHost) BlobNew() int32 {
	h.blobs = append(h.blobs, nil)
	return int32(len(h.blobs) - 1)
}

func (h *fakeHost) BlobWrite(handle uint32, p []byte) int32 {
	if h.status != 0 {
		return h.status
	}
	n := min(len(p), h.step)
	h.blobs[handle] = append(h.blobs[handle], p[:n]...)
	return int32(n)
}

// fresh makes the test's program a guest without handlers, on a host of its own.
func fresh(t *testing.T) *fakeHost {
	t.Helper()
	guest, host := self, native.Host
	t.Cleanup(func() { self, native.Host = guest, host })
	h := &fakeHost{step: 1 << 20}
	self, native.Host = new(module), h
	self.epoch = 1
	return h
}

// give makes a blob of the host, as content of the current call.
func (h *fakeHost) give(data string) Content {
	h.blobs = append(h.blobs, []byte(data))
	return Content{epoch: self.epoch, blob: &abi.Blob{Handle: uint32(len(h.blobs) - 1), Size: uint64(len(data))}}
}

func decode(t *testing.T, data []byte) *abi.Reply {
	t.Helper()
	r := new(abi.Reply)
	if err := r.Unmarshal(data); err != nil {
		t.Fatal(err)
	}
	return r
}

func encodeCall(req abi.Request) []byte {
	c := abi.Call{Request: req}
	return c.Append(nil)
}

func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		if got := panicText(recover()); got != want {
			t.Errorf("panic %q, want %q", got, want)
		}
	}()
	f()
}
