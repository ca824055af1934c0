package conformance

import (
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// resultFeatures are the results, verdicts and errors that handlers give.
func resultFeatures() []feature {
	return []feature{
		{"results", "full results of all methods", checkResults, false},
		{"empty_results", "empty results of all methods", checkEmptyResults, false},
		{"sandbox_errors", "each error code, with and without operation, message, context, retryable", checkSandboxErrors, false},
		{"pty", "terminal sessions", checkPTY, false},
		{"verdicts", "verdicts with reasons and differences", checkVerdicts, false},
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

// emptyOutcome is the method's outcome with nothing in it.
func emptyOutcome(m abi.Method) abi.Outcome {
	switch m {
	case abi.ApplyPatch:
		return abi.Outcome{Text: new("")}
	case abi.Exec:
		return abi.Outcome{Exec: &abi.ExecResult{}}
	case abi.Ls:
		return abi.Outcome{Listing: &abi.Listing{}}
	case abi.PTYExecStart, abi.PTYWriteStdin:
		return abi.Outcome{PTY: &abi.PTYUpdate{}}
	case abi.Read:
		return abi.Outcome{Stream: &abi.Stream{}}
	default:
		return abi.Outcome{Void: true}
	}
}

// fullOutcome is the method's outcome of the responder results.
func fullOutcome(m abi.Method) abi.Outcome {
	switch m {
	case abi.ApplyPatch:
		return abi.Outcome{Text: new("patched 2")}
	case abi.Exec:
		return abi.Outcome{Exec: &abi.ExecResult{Stdout: inline("out\n"), Stderr: inline("err\n"), ExitCode: 3}}
	case abi.Ls:
		return abi.Outcome{Listing: &abi.Listing{Entries: []abi.FileEntry{
			{Path: "src", Permissions: 0o755 | abi.DirectoryBit, Owner: "root", Group: "staff", Size: 4096, Kind: abi.FileKindDirectory},
			{Path: "a.txt", Permissions: 0o644, Owner: "root", Group: "staff", Size: 5},
			{Path: "link", Permissions: 0o777, Kind: abi.FileKindSymlink},
			{Path: "fifo", Permissions: 0o600, Owner: "u", Group: "g", Kind: abi.FileKindOther},
		}}}
	case abi.PTYExecStart:
		return abi.Outcome{PTY: &abi.PTYUpdate{ProcessID: new(int64(7)), Output: inline("$ "), OriginalTokenCount: new(uint64(1<<64 - 1))}}
	case abi.PTYWriteStdin:
		return abi.Outcome{PTY: &abi.PTYUpdate{Output: inline("bye"), ExitCode: new(int32(-1))}}
	case abi.Read:
		return abi.Outcome{Stream: &abi.Stream{Content: inline("hello"), Position: 2, Text: true}}
	default:
		return abi.Outcome{Void: true}
	}
}

func checkResults(t *tester) {
	s := t.open(setup{})
	if s == nil {
		return
	}
	for _, m := range abi.Methods() {
		request := emptyRequest(m)
		if m == abi.ApplyPatch {
			request = &abi.ApplyPatchRequest{Operations: []abi.PatchOperation{{Type: "create_file"}, {Type: "delete_file"}}}
		}
		answer, err := s.respond("results", request)
		s.reply("results for "+m.String(), answer, err, outcome(fullOutcome(m)))
	}
}

func checkEmptyResults(t *tester) {
	s := t.open(setup{})
	if s == nil {
		return
	}
	for _, m := range abi.Methods() {
		answer, err := s.respond("empty", emptyRequest(m))
		s.reply("empty for "+m.String(), answer, err, outcome(emptyOutcome(m)))
	}
}

// fullContext is the context of the responder raise.
func fullContext() []abi.Entry {
	return []abi.Entry{
		{Key: "bool", Value: true},
		{Key: "bytes", Value: []byte{0, 0xff}},
		{Key: "int", Value: int64(-5)},
		{Key: "list", Value: []abi.Value{nil, false, int64(7), "x"}},
		{Key: "map", Value: []abi.Entry{{Key: "a", Value: []abi.Entry{{Key: "b", Value: "c"}}}}},
		{Key: "max", Value: int64(1<<63 - 1)},
		{Key: "min", Value: int64(-1 << 63)},
		{Key: "null", Value: nil},
		{Key: "text", Value: "é"},
	}
}

func checkSandboxErrors(t *tester) {
	s := t.open(setup{})
	if s == nil {
		return
	}
	raise := func(e abi.SandboxError) {
		command := []string{string(e.Code), e.Op, e.Message, [...]string{"unknown", "no", "yes"}[e.Retryable], "none"}
		if e.Context != nil {
			command[4] = "full"
		}
		answer, err := s.respond("raise", &abi.ExecRequest{Command: command})
		s.reply("raise "+strings.Join(command, ", "), answer, err, outcome(abi.Outcome{Error: &e}))
	}
	for _, code := range abi.Codes() {
		raise(abi.SandboxError{Code: code})
	}
	for _, retryable := range []abi.Retryable{abi.RetryableUnknown, abi.RetryableNo, abi.RetryableYes} {
		raise(abi.SandboxError{Code: "a_code_of_its_own", Op: "exec", Message: "it isn't there: ünï", Retryable: retryable})
		raise(abi.SandboxError{Code: abi.CodeExecTimeout, Context: fullContext(), Retryable: retryable})
	}
}

func checkPTY(t *tester) {
	s := t.open(setup{})
	if s == nil {
		return
	}
	for _, tokens := range []int64{0, 100} {
		var count *uint64
		if tokens != 0 {
			count = new(uint64(12))
		}
		answer, err := s.respond("shell", &abi.PTYExecStartRequest{Command: []string{"sh"}, TTY: true, MaxOutputTokens: tokens})
		s.reply("shell, started", answer, err,
			outcome(abi.Outcome{PTY: &abi.PTYUpdate{ProcessID: new(int64(7)), Output: inline("$ "), OriginalTokenCount: count}}))
	}
	for _, id := range []int64{7, 0, -3, 1<<63 - 1, -1 << 63} {
		answer, err := s.respond("shell", &abi.PTYWriteStdinRequest{SessionID: id, Chars: "ls\xff\n"})
		s.reply("shell, written to", answer, err,
			outcome(abi.Outcome{PTY: &abi.PTYUpdate{ProcessID: &id, Output: inline("ls\xff\n")}}))
	}
	answer, err := s.respond("shell", &abi.PTYWriteStdinRequest{SessionID: 7, Chars: "exit\n"})
	s.reply("shell, ended", answer, err, outcome(abi.Outcome{PTY: &abi.PTYUpdate{Output: inline("bye\n"), ExitCode: new(int32(0))}}))
}

func notGit(actual string) *abi.Reply {
	return &abi.Reply{Verdict: &abi.Verdict{Answer: abi.AnswerReject, Reason: "not git",
		Differences: []abi.Difference{{Field: "args[0]", Expected: "git", Actual: actual}}}}
}

func checkVerdicts(t *tester) {
	s := t.open(setup{})
	if s == nil {
		return
	}
	accept := &abi.Reply{Verdict: &abi.Verdict{Answer: abi.AnswerAccept}}
	none := &abi.Reply{Verdict: &abi.Verdict{}}
	differ := &abi.Reply{Verdict: &abi.Verdict{Answer: abi.AnswerReject, Reason: "two differences",
		Differences: []abi.Difference{{Field: "a", Expected: "1", Actual: "2"}, {Field: "b"}}}}
	for _, m := range abi.Methods() {
		for _, c := range []struct {
			matcher string
			want    *abi.Reply
		}{{"accept", accept}, {"undecided", none}, {"differ", differ}} {
			answer, err := s.match(c.matcher, emptyRequest(m))
			s.reply(c.matcher+" for "+m.String(), answer, err, c.want)
		}
	}
	for _, c := range []struct {
		command []string
		want    *abi.Reply
	}{
		{[]string{"git", "status"}, accept}, {[]string{"ls"}, notGit("ls")}, {nil, notGit("")}, {[]string{"gi"}, notGit("gi")}, {[]string{"gitt"}, notGit("gitt")},
	} {
		answer, err := s.match("only_git", &abi.ExecRequest{Command: c.command})
		s.reply("only_git", answer, err, c.want)
	}
}
