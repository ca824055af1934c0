package guest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

func respondWith(r Result, err error) func(*Call) (Result, error) {
	return func(*Call) (Result, error) { return r, err }
}

func TestResponderThatCannotAnswerSaysWhy(t *testing.T) {
	exec, read := encodeCall(&abi.ExecRequest{}), encodeCall(&abi.ReadRequest{Path: "a"})
	tests := map[string]struct {
		handler func(*Call) (Result, error)
		id      uint32
		data    []byte
		kind    abi.GuestErrorKind
		message string
	}{
		"id of nothing":           {nothing, 3, exec, abi.GuestUnknownHandler, "no responder has the id 3"},
		"id zero":                 {nothing, 0, exec, abi.GuestUnknownHandler, "no responder has the id 0"},
		"id of a matcher":         {nothing, 1, exec, abi.GuestUnknownHandler, "no responder has the id 1"},
		"broken message":          {nothing, 2, []byte{0xff}, abi.GuestBadMessage, "abi: decoding Call"},
		"no message":              {nothing, 2, nil, abi.GuestBadMessage, "abi: decoding Call"},
		"another method":          {nothing, 2, read, abi.GuestUnsupportedMethod, "the responder x doesn't serve read"},
		"an error":                {respondWith(nil, errors.New("no disk")), 2, exec, abi.GuestHandlerFailed, "no disk"},
		"nothing":                 {respondWith(nil, nil), 2, exec, abi.GuestHandlerFailed, errNoResult.Error()},
		"a nil result":            {respondWith((*ExecResult)(nil), nil), 2, exec, abi.GuestHandlerFailed, errNoResult.Error()},
		"an error without a code": {respondWith(nil, NewError("").WithMessage("m")), 2, exec, abi.GuestHandlerFailed, errNoCode.Error()},
		"an empty code":           {respondWith(nil, Code("")), 2, exec, abi.GuestHandlerFailed, errNoCode.Error()},
		"another's result":        {respondWith(Text("a"), nil), 2, exec, abi.GuestHandlerFailed, "the handler returned text, exec wants an exec result"},
		"an untypical value":      {respondWith(nil, NewError("c").With("k", 1.5)), 2, exec, abi.GuestHandlerFailed, "abi: value at .k: a type that has no encoding"},
		"a bad setting": {
			func(c *Call) (Result, error) { return Stdout(c.Config().String("depth", "")), nil }, 2, exec,
			abi.GuestBadConfig, "config: depth must be a text",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			fresh(t)
			Match("m", anything)
			Respond("x", tt.handler, Exec)
			open := abi.Open{Config: []Entry{{Key: "depth", Value: int64(1)}}}
			if !decode(t, self.open(open.Append(nil))).Done {
				t.Fatal("not opened")
			}
			got := decode(t, self.respond(tt.id, tt.data)).Error
			if got == nil || got.Kind != tt.kind || !strings.HasPrefix(got.Message, tt.message) {
				t.Errorf("got %+v, want kind %d, %q", got, tt.kind, tt.message)
			}
		})
	}
}

func TestReplyOverTheLimitIsLeftToTheHost(t *testing.T) {
	fresh(t)
	long := strings.Repeat("a", 200)
	Respond("x", respondWith(Stdout(long), nil), Exec)
	open := abi.Open{Limits: Limits{ReplyBytes: 100}}
	if !decode(t, self.open(open.Append(nil))).Done {
		t.Fatal("not opened")
	}
	got := decode(t, self.respond(1, encodeCall(&abi.ExecRequest{}))).Outcome
	if got == nil || string(got.Exec.Stdout.Inline) != long {
		t.Errorf("got %+v, want the handler's result", got)
	}
}

func TestVerdictReachesTheHost(t *testing.T) {
	fresh(t)
	base := Reject("no").Differ("args[0]", "git", "ls")
	Match("accept", anything)
	Match("failed", func(*Call) Verdict { return Failed(errors.New("no disk")) })
	Match("none", func(*Call) Verdict { return Verdict{} })
	Match("reject", func(*Call) Verdict { return base.Differ("args[1]", "a", "b") })
	exec := encodeCall(&abi.ExecRequest{})

	if v := decode(t, self.match(1, exec)).Verdict; v.Answer != abi.AnswerAccept {
		t.Errorf("accept: %+v", v)
	}
	if e := decode(t, self.match(2, exec)).Error; e.Kind != abi.GuestHandlerFailed || e.Message != "no disk" {
		t.Errorf("failed: %+v", e)
	}
	if v := decode(t, self.match(3, exec)).Verdict; v.Answer != abi.AnswerNone {
		t.Errorf("none: %+v", v)
	}
	for range 2 {
		v := decode(t, self.match(4, exec)).Verdict
		if v.Answer != abi.AnswerReject || v.Reason != "no" || len(v.Differences) != 2 || v.Differences[1].Field != "args[1]" {
			t.Errorf("reject: %+v", v)
		}
	}
}

func TestOpenHooksRunInOrderUntilOneRefuses(t *testing.T) {
	fresh(t)
	var trace string
	OnOpen(func(o *Open) error {
		trace += o.Config.String("name", "") + o.StartTime.Format(time.DateOnly)
		return nil
	})
	OnOpen(func(*Open) error { trace += "!"; return errors.New("refused") })
	OnOpen(func(*Open) error { trace += "never"; return nil })
	open := abi.Open{Config: []Entry{{Key: "name", Value: "n"}}, StartTimeNS: 1}
	data := open.Append(nil)

	e := decode(t, self.open(data)).Error
	if e == nil || e.Kind != abi.GuestBadConfig || e.Message != "refused" || trace != "n1970-01-01!" {
		t.Errorf("%+v, trace %q", e, trace)
	}
	if e := decode(t, self.open([]byte{0xff})).Error; e == nil || e.Kind != abi.GuestBadMessage {
		t.Errorf("broken message: %+v", e)
	}
}

func TestConfigOutlivesTheInputBuffer(t *testing.T) {
	fresh(t)
	open := abi.Open{Config: []Entry{{Key: "key", Value: []byte("data")}}}
	data := open.Append(nil)
	self.open(data)
	clear(data)
	if v, ok := Config().Value("key"); !ok || string(v.([]byte)) != "data" {
		t.Errorf("got %q, %v", v, ok)
	}
}

func TestCloseHooksRunBackwardsUntilOneFails(t *testing.T) {
	fresh(t)
	if !decode(t, self.close()).Done {
		t.Error("without hooks: not done")
	}
	var trace string
	OnClose(func() error { trace += "a"; return nil })
	OnClose(func() error { trace += "b"; return errors.New("stuck") })
	OnClose(func() error { trace += "c"; return nil })
	e := decode(t, self.close()).Error
	if e == nil || e.Message != "stuck" || trace != "cb" {
		t.Errorf("%+v, trace %q", e, trace)
	}
}

func TestPanicIsReportedAndGoesOn(t *testing.T) {
	host := fresh(t)
	Respond("x", func(*Call) (Result, error) { panic("boom") })
	mustPanic(t, "boom", func() { self.respond(1, encodeCall(&abi.LsRequest{})) })
	if host.failed == nil || host.failed.Message != "boom" || !strings.Contains(host.failed.Stack, "TestPanicIsReportedAndGoesOn") {
		t.Errorf("reported %+v", host.failed)
	}
}

func TestVoidResultMayBeNil(t *testing.T) {
	fresh(t)
	Respond("x", nothing)
	if out := decode(t, self.respond(1, encodeCall(&abi.MkdirRequest{}))).Outcome; out == nil || !out.Void {
		t.Errorf("got %+v", out)
	}
}
