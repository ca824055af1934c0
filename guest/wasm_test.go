package guest_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/guest"
)

func TestBuiltGuestHasTheABIsVersion(t *testing.T) {
	in := instantiate(t, "status")
	res, err := in.module.ExportedFunction(abi.ExportVersion).Call(in.ctx)
	if err != nil || res[0] != abi.VersionMinor {
		t.Errorf("version %v, %v", res, err)
	}
	for _, size := range []uint64{1 << 31, 1<<32 - 1, 1<<31 - 1} {
		if res, err := in.module.ExportedFunction(abi.ExportBuffer).Call(in.ctx, size); err != nil || res[0] != 0 {
			t.Errorf("a buffer of %d bytes: %v, %v", int32(size), res, err)
		}
	}
}

func TestBuiltGuestDescribesItself(t *testing.T) {
	in := instantiate(t, "kitchen")
	reply, err := in.call(abi.ExportDescribe)
	if err != nil {
		t.Fatal(err)
	}
	d := reply.Description
	d.Handlers = nil
	want := &abi.Description{
		Name: "kitchen-sink", Version: "1.0.0", SDK: "go", SDKVersion: guest.SDKVersion,
		Language: "go", Toolchain: runtime.Version(), ConfigSchema: `{"type":"object"}`,
	}
	if !reflect.DeepEqual(d, want) {
		t.Errorf("got %+v", d)
	}
}

func TestBuiltGuestIsConfigured(t *testing.T) {
	in := instantiate(t, "kitchen")
	if reply := in.open(abi.Open{Config: []abi.Entry{{Key: "depth", Value: int64(10)}}}); reply.Error == nil || reply.Error.Kind != abi.GuestBadConfig {
		t.Errorf("a depth of 10: %+v", reply)
	}
	if reply := in.open(abi.Open{Seed: 5, Config: []abi.Entry{{Key: "branch", Value: "trunk"}}}); !reply.Done {
		t.Errorf("%+v", reply)
	}
	if out := in.respond("setting", &abi.ExecRequest{Command: []string{"branch"}}); string(out.Exec.Stdout.Inline) != "trunk" {
		t.Errorf("%+v", out.Exec)
	}
	if reply, err := in.call(abi.ExportClose); err != nil || !reply.Done {
		t.Errorf("close: %+v, %v", reply, err)
	}
}

func TestBuiltGuestAnswersAllMethods(t *testing.T) {
	in := instantiate(t, "kitchen")
	in.open(abi.Open{})
	if out := in.respond("store", &abi.WriteRequest{Path: "a", Data: abi.Stream{Content: abi.Content{Inline: []byte("hi")}}}); !out.Void {
		t.Errorf("write: %+v", out)
	}
	if out := in.respond("store", &abi.LsRequest{}); len(out.Listing.Entries) != 1 || out.Listing.Entries[0].Size != 2 {
		t.Errorf("ls: %+v", out.Listing)
	}
	if out := in.respond("store", &abi.ReadRequest{Path: "a"}); string(out.Stream.Content.Inline) != "hi" {
		t.Errorf("read: %+v", out.Stream)
	}
	if out := in.respond("store", &abi.RmRequest{Path: "a"}); !out.Void {
		t.Errorf("rm: %+v", out)
	}
	if out := in.respond("store", &abi.ReadRequest{Path: "a"}); out.Error.Code != abi.CodeWorkspaceReadNotFound || out.Error.Context[0].Value != "a" {
		t.Errorf("read after rm: %+v", out)
	}
	if out := in.respond("store", &abi.MkdirRequest{}); out.Error.Code != abi.CodeWorkspaceArchiveWrite {
		t.Errorf("mkdir: %+v", out)
	}
	if out := in.respond("results", &abi.ApplyPatchRequest{Operations: make([]abi.PatchOperation, 2)}); *out.Text != "patched 2" {
		t.Errorf("apply_patch: %+v", out)
	}
	if out := in.respond("shell", &abi.PTYExecStartRequest{}); *out.PTY.ProcessID != 7 {
		t.Errorf("pty_exec_start: %+v", out)
	}
	if out := in.respond("shell", &abi.PTYWriteStdinRequest{Chars: "exit\n"}); *out.PTY.ExitCode != 0 || string(out.PTY.Output.Inline) != "bye\n" {
		t.Errorf("pty_write_stdin: %+v", out)
	}
	if reply, err := in.ask(abi.HandlerRespond, "store", &abi.ExecRequest{}); err != nil || reply.Error.Kind != abi.GuestUnsupportedMethod {
		t.Errorf("exec: %+v, %v", reply, err)
	}
}

func TestBuiltGuestMatches(t *testing.T) {
	in := instantiate(t, "kitchen")
	for program, want := range map[string]abi.Answer{"git": abi.AnswerAccept, "ls": abi.AnswerReject} {
		reply, err := in.ask(abi.HandlerMatch, "only_git", &abi.ExecRequest{Command: []string{program}})
		if err != nil || reply.Verdict.Answer != want {
			t.Errorf("%s: %+v, %v", program, reply, err)
		}
	}
}

func TestBuiltGuestKeepsItsStateBetweenCalls(t *testing.T) {
	in := instantiate(t, "kitchen")
	for i := range int32(3) {
		out := in.respond("count", &abi.ExecRequest{})
		if out.Exec.ExitCode != i+1 {
			t.Errorf("call %d: %+v", i, out.Exec)
		}
	}
	if want := []string{"debug: call 1", "debug: call 2", "debug: call 3"}; !reflect.DeepEqual(in.logs, want) {
		t.Errorf("logs %q", in.logs)
	}
}

func TestBuiltGuestMovesLargeContentThroughBlobs(t *testing.T) {
	in := instantiate(t, "kitchen")
	data := bytes.Repeat([]byte("0123456789"), 20_000)
	digest := sha256.Sum256(data)
	in.blobs = [][]byte{data}
	req := &abi.WriteRequest{Path: "a", Data: abi.Stream{
		Content: abi.Content{Blob: &abi.Blob{Size: uint64(len(data)), SHA256: digest[:]}},
	}}
	reply, err := in.ask(abi.HandlerMatch, "digest", req)
	if err != nil || reply.Verdict.Reason != hex.EncodeToString(digest[:]) {
		t.Errorf("digest: %+v, %v", reply, err)
	}
	in.respond("store", req)
	blob := in.respond("store", &abi.ReadRequest{Path: "a"}).Stream.Content.Blob
	if blob == nil || blob.Size != uint64(len(data)) || !bytes.Equal(in.blobs[blob.Handle], data) {
		t.Errorf("read: %+v", blob)
	}
	blob = in.respond("generate", &abi.ReadRequest{Path: "20000"}).Stream.Content.Blob
	if blob == nil || blob.Size != 108_890 || !bytes.HasSuffix(in.blobs[blob.Handle], []byte("\n19999\n")) {
		t.Errorf("generate: %+v", blob)
	}
}

func TestErrorOfABuiltGuestIsNoOutcome(t *testing.T) {
	in := instantiate(t, "kitchen")
	reply, err := in.ask(abi.HandlerRespond, "broken", &abi.ExecRequest{})
	want := &abi.GuestError{Kind: abi.GuestHandlerFailed, Message: "it's broken"}
	if err != nil || !reflect.DeepEqual(reply.Error, want) {
		t.Errorf("%+v, %v", reply, err)
	}
}

func TestPanicOfABuiltGuestIsReportedAndEndsIt(t *testing.T) {
	in := instantiate(t, "kitchen")
	_, err := in.ask(abi.HandlerRespond, "setting", &abi.ExecRequest{}) // of which it reads the first argument
	if err == nil {
		t.Error("it lives on")
	}
	const message, file = "runtime error: index out of range [0] with length 0", "kitchen/session.go"
	p := in.failed
	if p == nil || p.Message != message || !strings.HasSuffix(p.File, file) || p.Line != lineOf(t, file, "req.Command[0]") || !strings.Contains(p.Stack, "main.registerSession.func") {
		t.Errorf("reported %+v", p)
	}
	if !strings.Contains(in.stderr.String(), "panic: "+message) {
		t.Errorf("stderr %q", in.stderr.String())
	}
}

// lineOf is the number of the first line that has a text.
func lineOf(t *testing.T, file, text string) uint32 {
	t.Helper()
	data, err := os.ReadFile(file)
	before, _, found := strings.Cut(string(data), text)
	if err != nil || !found {
		t.Fatalf("no %q in %s: %v", text, file, err)
	}
	return uint32(strings.Count(before, "\n") + 1)
}

func BenchmarkBuiltGuest(b *testing.B) {
	in := instantiate(b, "kitchen")
	in.open(abi.Open{})
	for name, req := range map[string]abi.Request{
		"empty":   &abi.ExecRequest{},
		"setting": &abi.ExecRequest{Command: []string{"branch"}},
	} {
		b.Run(name, func(b *testing.B) { benchmark(b, in, name, req) })
	}
	b.Run("version", func(b *testing.B) {
		f, ctx := in.module.ExportedFunction(abi.ExportVersion), in.ctx
		for b.Loop() {
			if _, err := f.Call(ctx); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// benchmark makes calls as a host does: one crossing, into a buffer that it knows.
func benchmark(b *testing.B, in *instance, name string, req abi.Request) {
	call := abi.Call{Index: 1, Request: req}
	data := call.Append(nil)
	id := uint64(in.find(abi.HandlerRespond, name))
	res, err := in.module.ExportedFunction(abi.ExportBuffer).Call(in.ctx, 0)
	if err != nil {
		b.Fatal(err)
	}
	buffer := uint32(res[0])
	f, ctx, stack := in.module.ExportedFunction(abi.ExportRespond), in.ctx, make([]uint64, 2)
	b.ReportAllocs()
	for b.Loop() {
		in.module.Memory().Write(buffer, data)
		stack[0], stack[1] = id, uint64(len(data))
		if err := f.CallWithStack(ctx, stack); err != nil {
			b.Fatal(err)
		}
	}
}
