package host_test

import (
	"context"
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
