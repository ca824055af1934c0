package host_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
	"github.com/wasmsandbox/wasmsandbox/host/internal/endingctx"
)

// What is there already is copied when a blob grows, which may be hundreds of megabytes.
func TestABlobThatGrowsEndsWithTheContext(t *testing.T) {
	const handle, piece, pieces = 1, 128 << 10, 64
	write := func(ctx context.Context, in *enginetest.FakeInstance) error {
		return in.Import(ctx, abi.ImportModule, abi.ImportBlobWrite, []uint64{handle, 0, piece})
	}
	_, r := fakeHandlers(t, respondWith(func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		imports(ctx, in, abi.ImportBlobNew)
		most := 0
		for i := range pieces {
			for j := range in.Bytes()[:piece] {
				in.Bytes()[j] = byte(i)
			}
			looks := 0
			for ; ; looks++ { // until they are enough
				err := write(endingctx.After(ctx, looks), in)
				if err == nil {
					break
				}
				if n := imports(ctx, in, abi.ImportBlobLen, handle); !errors.Is(err, context.Canceled) || n != int64(i*piece) {
					return fmt.Errorf("a write that ends with %w leaves %d bytes", err, n)
				}
			}
			most = max(most, looks)
		}
		if most < 6 {
			return fmt.Errorf("the context is looked at %d times at most", most)
		}
		for i := range pieces {
			imports(ctx, in, abi.ImportBlobRead, handle, uint64(i*piece), 0, piece)
			if b := in.Bytes(); b[0] != byte(i) || b[piece-1] != byte(i) {
				return fmt.Errorf("piece %d is of %d and %d", i, b[0], b[piece-1])
			}
		}
		return replyWith(execReply(""))(ctx, in, stack)
	}))
	s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}})
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil {
		t.Fatal(err)
	}
}

// The content of a reply is hashed and copied in pieces, which for a quarter of a gigabyte
// takes half a second.
func TestAReplyOfALargeBlobEndsWithTheContext(t *testing.T) {
	const size = 4 << 20
	exec := func(ctx context.Context, blob *abi.Blob) error {
		_, r := fakeHandlers(t, respondWith(func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
			handle := imports(ctx, in, abi.ImportBlobNew)
			clear(in.Bytes()[:65536])
			for range size / 65536 {
				imports(ctx, in, abi.ImportBlobWrite, uint64(handle), 0, 65536)
			}
			content := abi.Content{Blob: blob}
			return replyWith(abi.Reply{Outcome: &abi.Outcome{Exec: &abi.ExecResult{Stdout: content, Stderr: content}}})(ctx, in, stack)
		}))
		s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}})
		result, err := s.Exec(ctx, host.ExecRequest{})
		if err == nil && blob != nil && (len(result.Stdout) != size || len(result.Stderr) != size) {
			t.Errorf("it has %d and %d bytes", len(result.Stdout), len(result.Stderr))
		}
		return err
	}
	digest := sha256.Sum256(make([]byte, size))
	blob := &abi.Blob{Handle: 1, Size: size, SHA256: digest[:]}

	most := endingctx.After(t.Context(), 1<<20)
	if err := exec(most, nil); err != nil {
		t.Fatal(err)
	}
	before := 1<<20 - most.Left()
	for looks := before; ; looks++ {
		err := exec(endingctx.After(t.Context(), looks), blob)
		if err == nil {
			if more := looks - before; more < 3*size>>20 { // a digest and two copies
				t.Errorf("the context is looked at %d times", more)
			}
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
}

func TestACallWithALargeBlobEndsWithTheContext(t *testing.T) {
	const size = 4 << 20
	looks := func(data []byte) int {
		_, r := fakeHandlers(t, nil)
		s := newSession(t, []host.Step{{Method: host.MethodWrite, Outcome: host.Respond(r)}})
		ctx := endingctx.After(t.Context(), 1<<20)
		_ = s.Write(ctx, host.WriteRequest{Path: "f", Data: bytes.NewReader(data)})
		return 1<<20 - ctx.Left()
	}
	if more := looks(make([]byte, size)) - looks(nil); more < size>>20 {
		t.Errorf("for its digest, the context is looked at %d times", more)
	}
}
