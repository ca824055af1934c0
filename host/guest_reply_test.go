package host_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
)

// stdoutReply nests standard output in the messages of a reply, and adds what comes
// after it in each.
func stdoutReply(stdout, content, exec, outcome, reply string) []byte {
	field := func(tag, content string) string {
		if len(content) >= 0x80 {
			panic("too long")
		}
		return tag + string(rune(len(content))) + content
	}
	inner := field("\x0a", stdout) + content
	return []byte(field("\x1a", field("\x12", field("\x0a", inner)+exec)+outcome) + reply)
}

// A reply of nothing but standard output is read in a shorter way. It gives what the
// decoder gives, and so does all that looks like it.
func TestRepliesOfStandardOutputAlone(t *testing.T) {
	longest := 0x7f - 6
	replies := map[string][]byte{
		"nothing":                  {},
		"empty":                    stdoutReply("", "", "", "", ""),
		"short":                    stdoutReply("main", "", "", "", ""),
		"the longest":              stdoutReply(strings.Repeat("x", longest), "", "", "", ""),
		"no content":               []byte("\x1a\x04\x12\x02\x0a\x00"),
		"given twice":              stdoutReply("one", "\x0a\x03two", "", "", ""),
		"standard error after it":  stdoutReply("out", "", "\x12\x05\x0a\x03err", "", ""),
		"an exit code after it":    stdoutReply("out", "", "\x18\x06", "", ""),
		"another outcome after it": stdoutReply("out", "", "", "\x0a\x00", ""),
		"another reply after it":   stdoutReply("out", "", "", "", "\x2a\x00"),
		"an unknown field":         stdoutReply("out", "\x78\x01", "", "", ""),
		"a part of a field":        stdoutReply("out", "", "", "", "\x1a"),
		"a stream":                 bytes.Replace(stdoutReply("out", "", "", "", ""), []byte{0x12}, []byte{0x1a}, 1),
		"standard error":           []byte("\x1a\x09\x12\x07\x12\x05\x0a\x03err"),
		"a length of two bytes":    []byte("\x1a\x8a\x00\x12\x08\x0a\x06\x0a\x04main"),
		"a length too long":        []byte("\x1a\x0a\x12\x08\x0a\x06\x0a\x05main"),
		"a length too short":       []byte("\x1a\x0a\x12\x08\x0a\x06\x0a\x03main"),
	}
	for _, size := range []int{longest + 1, 0x7f, 0x80, 300} {
		reply := execReply(strings.Repeat("y", size))
		replies[fmt.Sprint(size, " bytes")] = reply.Append(nil)
	}
	for name, reply := range replies {
		t.Run(name, func(t *testing.T) {
			_, r := fakeHandlers(t, respondWith(replyBytes(reply)))
			s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}})
			got, err := s.Exec(t.Context(), host.ExecRequest{})

			var decoded abi.Reply
			if wrong := decoded.Unmarshal(reply); wrong != nil || decoded.Outcome == nil || decoded.Outcome.Exec == nil {
				_ = wantGuestError(t, err, host.GuestBadReply)
				return
			}
			want := decoded.Outcome.Exec
			if err != nil || !bytes.Equal(got.Stdout, want.Stdout.Inline) || !bytes.Equal(got.Stderr, want.Stderr.Inline) ||
				got.ExitCode != int(want.ExitCode) {
				t.Errorf("got %+v and %v, want %+v", got, err, want)
			}
		})
	}
}

// The limit of inline content holds for short output as well.
func TestShortOutputThatShouldBeABlob(t *testing.T) {
	_, r := fakeHandlers(t, respondWith(replyWith(execReply("12345"))))
	s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}},
		host.WithLimits(host.Limits{InlineBytes: 4}))
	_, err := s.Exec(t.Context(), host.ExecRequest{})
	_ = wantGuestError(t, err, host.GuestBadReply)
}

// Short outputs lie beside each other, and are their callers' all the same.
func TestShortOutputsAreTheCallers(t *testing.T) {
	n := 0
	_, r := fakeHandlers(t, respondWith(func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		n++
		return replyWith(execReply(fmt.Sprint("output ", n%10)))(ctx, in, stack)
	}))
	steps := make([]host.Step, 200)
	for i := range steps {
		steps[i] = host.Step{Method: host.MethodExec, Outcome: host.Respond(r)}
	}
	s := newSession(t, steps)
	var outputs [][]byte
	for range steps {
		outputs = append(outputs, execute(t, s).Stdout)
	}
	for _, out := range outputs {
		_ = append(out, "!!!!"...)
	}
	for i, out := range outputs {
		if want := fmt.Sprint("output ", (i+1)%10); string(out) != want {
			t.Fatalf("output %d is %q", i, out)
		}
		clear(out)
	}
}
