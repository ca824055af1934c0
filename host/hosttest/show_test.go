package hosttest

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

func TestShowCall(t *testing.T) {
	long := strings.Repeat("é", 100)
	tests := []struct {
		request host.Request
		want    string
	}{
		{&host.ExecRequest{}, `exec`},
		{&host.ExecRequest{Command: []string{"git", "a b\n"}, Timeout: 1500 * time.Millisecond, Shell: host.NoShell(), User: "me"},
			`exec "git" "a b\n" timeout=1.5 shell=false user="me"`},
		{&host.ExecRequest{Shell: host.ShellCommand("bash", "-c")}, `exec shell=["bash","-c"]`},
		{&host.ReadRequest{Path: "<a&b>"}, `read "<a&b>"`},
		{&host.ReadRequest{Path: long}, `read "` + long[:120] + `…" (200 bytes)`},
		{&host.RmRequest{Path: "a", Recursive: true}, `rm "a" recursive=true`},
		{&host.MkdirRequest{Path: "a"}, `mkdir "a"`},
		{&host.ApplyPatchRequest{Operations: []host.PatchOperation{{Type: "delete_file", Path: "a"}}},
			`apply_patch [{"path":"a","type":"delete_file"}]`},
		{&host.ApplyPatchRequest{PatchFormat: "other"}, `apply_patch [] patch_format="other"`},
		{&host.PTYWriteStdinRequest{SessionID: 7, Chars: "q"}, `pty_write_stdin session_id=7 chars="q"`},
		{&host.WriteRequest{Path: "a"}, `write "a" ""`},
		{&host.WriteRequest{Path: "a", Data: strings.NewReader("text")}, `write "a" "text"`},
		{&host.WriteRequest{Path: "a", Data: host.TextStream("text").At(9).Reader()}, `write "a" "text" from 9`},
		{&host.WriteRequest{Path: "a", Data: strings.NewReader(strings.Repeat("€", 500))},
			`write "a" "` + strings.Repeat("€", 60) + `…" (1500 bytes)`},
		{&host.WriteRequest{Path: "a", Data: host.ByteStream([]byte{0xff, 0}).Reader()}, `write "a" 2 bytes`},
	}
	for _, test := range tests {
		call, err := host.NewCall(0, test.request)
		if err != nil {
			t.Fatal(err)
		}
		if got := showCall(call); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
	call, _ := host.NewCall(0, &host.ExecRequest{Command: []string{"1234567890", strings.Repeat("x", 50), strings.Repeat("y", 90)}})
	if got := showCall(call); len([]rune(got)) != maxCall+1 || !strings.HasSuffix(got, "…") {
		t.Errorf("a long call is %s", got)
	}
}

func TestShowLog(t *testing.T) {
	tests := []struct {
		entry host.LogEntry
		want  []string
	}{
		{host.LogEntry{Module: "git", Level: host.LogWarn, Text: "careful"}, []string{"git log warn: careful"}},
		{host.LogEntry{Module: "git", Source: host.SourceStdout, Text: "a\n\nb\x1b[0m\r\n"}, []string{"git stdout: a", "git stdout: ", `git stdout: b\x1b[0m`}},
		{host.LogEntry{Module: "git", Source: host.SourceStderr, Text: "a", Dropped: 1}, []string{"git stderr: a", "git stderr: … 1 byte more"}},
	}
	for _, test := range tests {
		if got := showLog(test.entry); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestNotesAreFew(t *testing.T) {
	call, _ := host.NewCall(0, &host.LsRequest{})
	var logs []host.LogEntry
	for range maxNotes + 3 {
		logs = append(logs, host.LogEntry{Module: "m", Text: "x"})
	}
	r := report{records: []host.Record{{Call: call, Done: true, Logs: logs}}}
	got := r.long([]string{"reason"})
	if n := strings.Count(got, "m log debug: x\n"); n != maxNotes || !strings.HasSuffix(got, "… 3 more lines") {
		t.Errorf("%d notes:\n%s", n, got)
	}
}
