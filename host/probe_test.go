package host_test

import (
	"context"
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
)

// probeFake opens a probe of a fake guest.
func probeFake(t *testing.T, replace fakeFuncs, opts ...host.Option) *host.Probe {
	t.Helper()
	module, err := loadFake(t, fakeGuest(replace))
	if err != nil {
		t.Fatal(err)
	}
	probe, err := module.Probe(t.Context(), opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = probe.Close() })
	return probe
}

func TestAProbeSendsBytesAndGivesBytes(t *testing.T) {
	var got []byte
	probe := probeFake(t, respondWith(func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		got = append([]byte(nil), in.Bytes()[inputAddress:][:stack[1]]...)
		imports(ctx, in, abi.ImportLog, uint64(abi.LogInfo), inputAddress, stack[1])
		return replyBytes([]byte("not a message"))(ctx, in, stack)
	}))
	answer, err := probe.Respond(t.Context(), 2, []byte("nor this"))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != "nor this" || string(answer.Reply) != "not a message" {
		t.Errorf("the guest got %q and replied %q", got, answer.Reply)
	}
	if len(answer.Logs) != 1 || answer.Logs[0].Text != "nor this" {
		t.Errorf("the logs are %v", answer.Logs)
	}
}

func TestAProbeLendsAndCollectsBlobs(t *testing.T) {
	probe := probeFake(t, respondWith(func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		if n := imports(ctx, in, abi.ImportBlobRead, 1, 2, inputAddress, 3); n != 3 {
			t.Errorf("blob_read answers %d", n)
		}
		handle := imports(ctx, in, abi.ImportBlobNew)
		imports(ctx, in, abi.ImportBlobWrite, uint64(handle), inputAddress, 3)
		return replyBytes(nil)(ctx, in, stack)
	}))
	answer, err := probe.Respond(t.Context(), 2, nil, []byte("abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	for handle, want := range map[uint32]string{1: "abcdef", 2: "cde"} {
		if content, ok := answer.Blob(handle); !ok || string(content) != want {
			t.Errorf("blob %d is %q, %t", handle, content, ok)
		}
	}
	for _, handle := range []uint32{0, 3} {
		if _, ok := answer.Blob(handle); ok {
			t.Errorf("there is a blob %d", handle)
		}
	}
}

func TestAProbeOfADeadGuestSaysSo(t *testing.T) {
	probe := probeFake(t, respondWith(func(ctx context.Context, in *enginetest.FakeInstance, _ []uint64) error {
		reportPanic(ctx, in, "no more")
		return nil
	}))
	if _, err := probe.Respond(t.Context(), 2, nil); !errors.Is(err, host.GuestPanic) {
		t.Errorf("got %v", err)
	}
	if _, err := probe.Describe(t.Context()); !errors.Is(err, host.GuestDead) || !errors.Is(err, host.GuestPanic) {
		t.Errorf("afterwards: %v", err)
	}
}

func TestAClosedProbeSaysSo(t *testing.T) {
	probe := probeFake(t, nil)
	for range 2 {
		if err := probe.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := probe.CallClose(t.Context()); !errors.Is(err, host.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

func TestAProbeKeepsToItsLimits(t *testing.T) {
	probe := probeFake(t, respondWith(replyBytes(make([]byte, 11))), host.WithLimits(host.Limits{ReplyBytes: 10}))
	if _, err := probe.Respond(t.Context(), 2, nil); !errors.Is(err, host.GuestLimit) {
		t.Errorf("got %v", err)
	}
}

func TestCallCloseNeedsNoExport(t *testing.T) {
	probe := probeFake(t, fakeFuncs{abi.ExportClose: {}})
	answer, err := probe.CallClose(t.Context())
	if err != nil || answer.Reply != nil {
		t.Errorf("got %+v, %v", answer, err)
	}
}

// Each message is a call of its own for Limits.CallFuel, as for the other limits.
func TestAProbeHasItsFuelForEachMessage(t *testing.T) {
	const fuel = 1_000_000
	probe, err := kitchenC(t).Probe(t.Context(), host.WithLimits(host.Limits{CallFuel: fuel}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = probe.Close() })
	for i := range fuel / 1000 { // a description takes more than 1000
		if _, err := probe.Describe(t.Context()); err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
	}
}
