package host_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
)

// FuzzGuestReply lets a guest answer anything, from anywhere, with a blob of
// anything: the host gives a result that fits the method, or a typed error.
func FuzzGuestReply(f *testing.F) {
	for _, reply := range []abi.Reply{
		execReply("fine"),
		execBlob(&abi.Blob{Handle: 1, Size: 3}),
		{Outcome: &abi.Outcome{Stream: &abi.Stream{Position: 1 << 63, Content: abi.Content{Blob: &abi.Blob{Handle: 2, Size: 70_000}}}}},
		{Outcome: &abi.Outcome{Error: &abi.SandboxError{Code: "x", Context: []abi.Entry{{Key: "k", Value: []abi.Value{int64(1)}}}}}},
		{Outcome: &abi.Outcome{PTY: &abi.PTYUpdate{OriginalTokenCount: new(uint64(1 << 63))}}},
		guestErrorReply(abi.GuestHandlerFailed, "no"),
		{Done: true},
	} {
		f.Add(reply.Append(nil), uint64(0), []byte("abc"), uint8(abi.Exec))
	}
	f.Add([]byte{}, uint64(1<<63), []byte(nil), uint8(abi.Write))
	f.Fuzz(func(t *testing.T, reply []byte, packed uint64, written []byte, method uint8) {
		if len(reply) > replyAddress || len(written) > replyAddress {
			t.Skip()
		}
		_, r := fakeHandlers(t, respondWith(func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
			handle := imports(ctx, in, abi.ImportBlobNew)
			imports(ctx, in, abi.ImportBlobWrite, uint64(handle), 0, uint64(copy(in.Bytes(), written)))
			imports(ctx, in, abi.ImportLog, packed>>60, 0, uint64(len(written)))
			if err := replyBytes(reply)(ctx, in, stack); err != nil {
				return err
			}
			stack[0] ^= packed
			return nil
		}))
		request := anyRequest(host.Method(method))
		step := host.Step{Method: request.Method(), Outcome: host.Respond(r)}
		s := newSession(t, []host.Step{step, step})
		for range 2 {
			result, err := s.Do(t.Context(), request)
			if err != nil && !errors.As(err, new(*host.GuestError)) && !errors.As(err, new(*host.SandboxError)) {
				t.Fatalf("an untyped error: %v", err)
			}
			if err == nil {
				_ = host.PlainResult(result)
			}
		}
		if err := s.AssertComplete(); err != nil {
			t.Fatal(err)
		}
	})
}

// anyRequest is a request for a method, or for exec when it is none.
func anyRequest(method host.Method) host.Request {
	switch method {
	case host.MethodApplyPatch:
		return &host.ApplyPatchRequest{}
	case host.MethodLs:
		return &host.LsRequest{}
	case host.MethodMkdir:
		return &host.MkdirRequest{}
	case host.MethodPTYExecStart:
		return &host.PTYExecStartRequest{}
	case host.MethodPTYWriteStdin:
		return &host.PTYWriteStdinRequest{}
	case host.MethodRead:
		return &host.ReadRequest{}
	case host.MethodRm:
		return &host.RmRequest{}
	case host.MethodWrite:
		return &host.WriteRequest{Data: strings.NewReader(strings.Repeat("x", 70_000))}
	default:
		return &host.ExecRequest{}
	}
}
