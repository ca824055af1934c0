package conformance

import (
	"bytes"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
	vectors "github.com/wasmsandbox/wasmsandbox/testdata/abi"
)

// protocolFeatures are what any guest has to do, whatever its handlers are, and
// how messages of the host are read.
func protocolFeatures() []feature {
	return []feature{
		{"describe", "the description is the same each time, before and after opening", checkDescribe, true},
		{"unknown_handler", "ids that no handler has are refused, and the guest lives on", checkUnknownHandler, true},
		{"unsupported_method", "a handler refuses methods that it doesn't serve", checkUnsupportedMethod, true},
		{"malformed_calls", "each malformed call of the vectors is refused, and the guest lives on", checkMalformedCalls, true},
		{"malformed_opens", "each malformed open message of the vectors is refused", checkMalformedOpens, true},
		{"close", "closing is answered", checkClose, true},
		{"kitchen", "the guest has all handlers of the kitchen-sink guest", checkKitchen, false},
		{"calls", "each valid call of the vectors is read in full", checkCalls, false},
		{"config", "each valid configuration of the vectors is read in full", checkConfig, false},
		{"bad_config", "a configuration that can't be used is refused", checkBadConfig, false},
		{"session", "seed, start time, limits and the call's place are told", checkSession, false},
		{"long_messages", "the input buffer grows with the messages", checkLongMessages, false},
	}
}

func checkDescribe(t *tester) {
	s := t.instance(defaultLimits())
	if s == nil {
		return
	}
	first, err := s.probe.Describe(t.ctx)
	reply, ok := s.decode("describe", first, err)
	if !ok || !s.check(reply.Description != nil, "describe: got %s", text(reply)) {
		return
	}
	s.check(len(reply.Description.Handlers) > 0, "describe: there are no handlers")
	second, err := s.probe.Describe(t.ctx)
	s.check(err == nil && bytes.Equal(first.Reply, second.Reply), "describe: the second answer differs: %v", err)
	opened, err := s.probe.Open(t.ctx, openMessage(setup{limits: defaultLimits()}))
	s.reply("open", opened, err, &abi.Reply{Done: true})
	third, err := s.probe.Describe(t.ctx)
	s.check(err == nil && bytes.Equal(first.Reply, third.Reply), "describe: the answer differs after opening: %v", err)
}

func checkUnknownHandler(t *tester) {
	s := t.open(setup{})
	if s == nil {
		return
	}
	ids := []uint32{0, 1 << 31, 1<<32 - 1}
	for _, h := range s.description.Handlers {
		ids = append(ids, h.ID+1000)
	}
	message := s.message(&abi.ExecRequest{})
	for _, id := range ids {
		if hasID(s.description, id) {
			continue
		}
		answer, err := s.probe.Respond(t.ctx, id, message)
		s.guestError("respond", answer, err, abi.GuestUnknownHandler, "")
		answer, err = s.probe.Match(t.ctx, id, message)
		s.guestError("match", answer, err, abi.GuestUnknownHandler, "")
	}
	for _, h := range s.description.Handlers { // an id of the other kind
		ask := s.probe.Match
		if h.Kind == abi.HandlerMatch {
			ask = s.probe.Respond
		}
		answer, err := ask(t.ctx, h.ID, message)
		s.guestError(h.Kind.String()+" "+h.Name+" called as the other kind", answer, err, abi.GuestUnknownHandler, "")
	}
}

func hasID(d host.Description, id uint32) bool {
	return slices.ContainsFunc(d.Handlers, func(h abi.Handler) bool { return h.ID == id })
}

func checkUnsupportedMethod(t *tester) {
	s := t.open(setup{})
	if s == nil {
		return
	}
	for _, h := range s.description.Handlers {
		for _, m := range abi.Methods() {
			if len(h.Methods) == 0 || slices.Contains(h.Methods, m) {
				continue
			}
			what := h.Kind.String() + " " + h.Name + " asked for " + m.String()
			answer, err := s.ask(h.Kind, h.Name, s.message(emptyRequest(m)), nil)
			s.guestError(what, answer, err, abi.GuestUnsupportedMethod, "")
		}
	}
}

// emptyRequest is a request with nothing set.
func emptyRequest(m abi.Method) abi.Request {
	for _, r := range []abi.Request{
		&abi.ApplyPatchRequest{}, &abi.ExecRequest{}, &abi.LsRequest{}, &abi.MkdirRequest{}, &abi.PTYExecStartRequest{},
		&abi.PTYWriteStdinRequest{}, &abi.ReadRequest{}, &abi.RmRequest{}, &abi.WriteRequest{},
	} {
		if r.Method() == m {
			return r
		}
	}
	return nil
}

// vectorsOf are the vectors of one message.
func (t *tester) vectorsOf(load func() ([]vectors.Vector, error), message string) []vectors.Vector {
	all, err := load()
	t.check(err == nil, "the vectors: %v", err)
	var list []vectors.Vector
	for _, v := range all {
		if v.Message == message {
			list = append(list, v)
		}
	}
	t.check(len(list) > 0, "there are no vectors of %s", message)
	return list
}

func checkMalformedCalls(t *tester) {
	s := t.open(setup{})
	if s == nil || !s.check(len(s.description.Handlers) > 0, "there is no handler to ask") {
		return
	}
	h := s.description.Handlers[0]
	for _, other := range s.description.Handlers {
		if len(other.Methods) == 0 || len(other.Methods) == len(abi.Methods()) {
			h = other // one that takes every method, if there is one
		}
	}
	for _, v := range t.vectorsOf(vectors.Malformed, "Call") {
		answer, err := s.ask(h.Kind, h.Name, v.Data, nil)
		s.guestError("malformed/"+v.Name, answer, err, abi.GuestBadMessage, "")
	}
	answer, err := s.ask(h.Kind, h.Name, nil, nil)
	s.guestError("a call of no bytes", answer, err, abi.GuestBadMessage, "")
}

func checkMalformedOpens(t *tester) {
	for _, v := range t.vectorsOf(vectors.Malformed, "Open") {
		s := t.instance(defaultLimits())
		if s == nil {
			return
		}
		answer, err := s.probe.Open(t.ctx, v.Data)
		s.guestError("malformed/"+v.Name, answer, err, abi.GuestBadMessage, "")
		t.closeAll()
	}
}

func checkClose(t *tester) {
	s := t.open(setup{})
	if s == nil {
		return
	}
	answer, err := s.probe.CallClose(t.ctx)
	if err == nil && answer.Reply == nil {
		return // the export is optional
	}
	s.reply("close", answer, err, &abi.Reply{Done: true})
}

func checkCalls(t *tester) {
	s := t.open(setup{})
	if s == nil {
		return
	}
	for _, v := range t.vectorsOf(vectors.Valid, "Call") {
		var call abi.Call
		if err := call.Unmarshal(v.Data); !s.check(err == nil, "valid/%s: %v", v.Name, err) {
			continue
		}
		rendered := renderCall(&call)
		answer, err := s.ask(abi.HandlerRespond, "render", v.Data, nil)
		want := outcome(emptyOutcome(call.Method()))
		if call.Method() == abi.Exec {
			want = stdout(rendered)
		}
		if s.reply("valid/"+v.Name, answer, err, want) {
			s.logged("valid/"+v.Name, answer, logLine{abi.LogInfo, strings.ToValidUTF8(rendered, "\uFFFD")})
		}
		answer, err = s.ask(abi.HandlerMatch, "accept", v.Data, nil)
		s.reply("valid/"+v.Name+", matched", answer, err, &abi.Reply{Verdict: &abi.Verdict{Answer: abi.AnswerAccept}})
	}
}

func checkConfig(t *tester) {
	for _, v := range t.vectorsOf(vectors.Valid, "Open") {
		var open abi.Open
		if err := open.Unmarshal(v.Data); !t.check(err == nil, "valid/%s: %v", v.Name, err) {
			continue
		}
		s := t.open(setup{open: v.Data})
		if s == nil {
			return
		}
		answer, err := s.respond("config", &abi.ExecRequest{})
		s.reply("valid/"+v.Name, answer, err, stdout(renderConfig(open.Config)))
		t.closeAll()
	}
	s := t.open(setup{config: []abi.Entry{{Key: "branch", Value: "trunk"}, {Key: "empty", Value: ""}}})
	if s == nil {
		return
	}
	for _, setting := range [][2]string{{"branch", "trunk"}, {"empty", ""}, {"other", "main"}, {"branc", "main"}} {
		answer, err := s.respond("setting", &abi.ExecRequest{Command: []string{setting[0]}})
		s.reply("setting "+setting[0], answer, err, stdout(setting[1]))
	}
}

func checkBadConfig(t *tester) {
	for _, depth := range []int64{9, 10} {
		s := t.instance(defaultLimits())
		if s == nil {
			return
		}
		message := openMessage(setup{config: []abi.Entry{{Key: "depth", Value: depth}}, limits: defaultLimits()})
		answer, err := s.probe.Open(t.ctx, message)
		if depth > 9 {
			s.guestError("depth 10", answer, err, abi.GuestBadConfig, "depth is at most 9")
		} else {
			s.reply("depth 9", answer, err, &abi.Reply{Done: true})
		}
	}
}

func checkSession(t *tester) {
	limits := host.Limits{InlineBytes: 1000, ReplyBytes: 100_000, LogBytes: 50_000, BlobBytes: 1 << 20}
	s := t.open(setup{limits: limits})
	if s == nil {
		return
	}
	for range 2 {
		index := s.index
		answer, err := s.respond("session", &abi.ExecRequest{})
		var b rendering
		b.line("seed", uint64(seed))
		b.line("start_time_ns", int64(startTime))
		b.line("inline_bytes", limits.InlineBytes)
		b.line("reply_bytes", limits.ReplyBytes)
		b.line("log_bytes", limits.LogBytes)
		b.line("blob_bytes", limits.BlobBytes)
		b.line("index", index)
		b.line("time_ns", startTime+int64(index)*1_000_000_000)
		s.reply("session", answer, err, stdout(b.String()))
	}
}

func checkLongMessages(t *tester) {
	s := t.open(setup{})
	if s == nil {
		return
	}
	for i, size := range []int{10, 5_000, 70_000, 3_000_000, 20} {
		call := &abi.ExecRequest{Command: []string{"cmd", strings.Repeat("x", size), "end"}}
		answer, err := s.respond("count", call)
		counted := outcome(abi.Outcome{Exec: &abi.ExecResult{ExitCode: int32(i + 1)}})
		if !s.reply("a message of "+itoa(size)+" bytes", answer, err, counted) {
			return
		}
		answer, err = s.match("only_git", call)
		s.reply("a message of "+itoa(size)+" bytes", answer, err, notGit("cmd"))
	}
}
