package conformance

import (
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// stateFeatures are what a guest remembers from call to call, and says.
func stateFeatures() []feature {
	return []feature{
		{"state", "files that are written, read, listed and removed", checkStore, false},
		{"counter", "a counter over 2000 calls; an instance begins anew", checkCounter, false},
		{"logs", "lines at all levels, and what isn't UTF-8", checkLogs, false},
	}
}

func checkStore(t *tester) {
	s := t.open(setup{})
	if s == nil {
		return
	}
	void := outcome(abi.Outcome{Void: true})
	missing := func(path string) *abi.Reply {
		return outcome(abi.Outcome{Error: &abi.SandboxError{Code: abi.CodeWorkspaceReadNotFound,
			Context: []abi.Entry{{Key: "path", Value: path}}}})
	}
	write := func(path, content string, position uint64) {
		answer, err := s.respond("store", &abi.WriteRequest{Path: path, Data: abi.Stream{Content: inline(content), Position: position}})
		s.reply("write", answer, err, void)
	}
	read := func(path string, want *abi.Reply) {
		answer, err := s.respond("store", &abi.ReadRequest{Path: path})
		s.reply("read", answer, err, want)
	}
	list := func(want ...abi.FileEntry) {
		answer, err := s.respond("store", &abi.LsRequest{Path: "."})
		s.reply("ls", answer, err, outcome(abi.Outcome{Listing: &abi.Listing{Entries: want}}))
	}
	file := func(path string, size uint64) abi.FileEntry {
		return abi.FileEntry{Path: path, Permissions: 0o644, Size: size}
	}
	bytes := func(content string) *abi.Reply {
		return outcome(abi.Outcome{Stream: &abi.Stream{Content: inline(content)}})
	}

	read("a.txt", missing("a.txt"))
	list()
	write("b/c.txt", "see", 0)
	write("a.txt", "hello", 1)
	write("ä", "\x00\xff", 0)
	write("empty", "past the end", 100)
	read("a.txt", bytes("ello"))
	read("ä", bytes("\x00\xff"))
	read("empty", bytes(""))
	list(file("a.txt", 4), file("b/c.txt", 3), file("empty", 0), file("ä", 2))
	write("a.txt", "shorter by none", 0)
	read("a.txt", bytes("shorter by none"))
	answer, err := s.respond("store", &abi.RmRequest{Path: "a.txt"})
	s.reply("rm", answer, err, void)
	read("a.txt", missing("a.txt"))
	answer, err = s.respond("store", &abi.RmRequest{Path: "a.txt"})
	s.reply("rm, again", answer, err, void)
	answer, err = s.respond("store", &abi.MkdirRequest{Path: "d"})
	s.reply("mkdir", answer, err, outcome(abi.Outcome{Error: &abi.SandboxError{Code: abi.CodeWorkspaceArchiveWrite}}))
	list(file("b/c.txt", 3), file("empty", 0), file("ä", 2))
}

func checkCounter(t *tester) {
	s, other := t.open(setup{}), t.open(setup{})
	if s == nil || other == nil {
		return
	}
	const calls = 2000
	for i := int32(1); i <= calls; i++ {
		answer, err := s.respond("count", &abi.ExecRequest{Command: []string{"some", "arguments", "or", "other"}})
		want := outcome(abi.Outcome{Exec: &abi.ExecResult{ExitCode: i}})
		if !s.reply("count", answer, err, want) {
			return
		}
		s.logged("count", answer, logLine{abi.LogDebug, "call " + itoa(int(i))})
	}
	answer, err := other.respond("count", &abi.ExecRequest{})
	other.reply("count in another instance", answer, err, outcome(abi.Outcome{Exec: &abi.ExecResult{ExitCode: 1}}))
}

func checkLogs(t *tester) {
	s := t.open(setup{})
	if s == nil {
		return
	}
	command := []string{"debug", "info", "warn", "error", "ünï", "not UTF-8: \xff", strings.Repeat("long ", 10_000)}
	var want []logLine
	for i, text := range command {
		want = append(want, logLine{abi.LogLevel(i % 4), strings.ToValidUTF8(text, "\uFFFD")})
	}
	answer, err := s.respond("log", &abi.ExecRequest{Command: command})
	s.reply("log", answer, err, stdout(""))
	s.logged("log", answer, want...)
}
