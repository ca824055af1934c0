package scripts_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

func TestCallsAreReadFromLines(t *testing.T) {
	calls, err := scripts.ReadAllCalls(strings.NewReader("\xEF\xBB\xBF"+`{"method":"exec","args":["pwd"],"kwargs":{"timeout":5}}

   `+"\r\n"+`{"method":"write","args":["a.txt","\uD83D\uDE00"],"expect":null}`+"\r\n"+
		`{"method":"read","args":["a.txt"],"expect_error":"workspace_read_not_found"}`), "calls.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if len(calls) != 3 {
		t.Fatalf("there are %d calls", len(calls))
	}
	request, err := calls[0].Request()
	if err != nil {
		t.Fatal(err)
	}
	exec := request.(*host.ExecRequest)
	if exec.Timeout.Seconds() != 5 || exec.Command[0] != "pwd" || exec.User != "" {
		t.Errorf("the first call is %+v", exec)
	}
	for range 2 { // each request has its own reader
		request, err = calls[1].Request()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(request.(*host.WriteRequest).Data)
		if err != nil || string(data) != "😀" {
			t.Errorf("the second call writes %q, %v", data, err)
		}
	}
	if calls[1].Source != "calls.jsonl:4" || calls[1].Expect == nil || calls[1].ExpectError != nil || calls[2].ExpectError == nil {
		t.Errorf("the calls are %+v", calls)
	}
}

func TestEveryLineThatIsNotACallIsTold(t *testing.T) {
	_, err := scripts.ReadAllCalls(strings.NewReader(`{"method":"exec","args":[5]}
{"method":"exec","args":["pwd"]}
{"method":"exec"
[]

{"method":"exce","arg":[]}
{"method":"read","args":[],"expect":{"regex":"("}}
{"method":"read","args":["a"],"expect":1,"expect_error":"exec_timeout"}
{"metod":"exec","args":[]}
{"metod":"exec","kwarg":{},"xyz":1}
{"method":"pty_write_stdin","args":[1]}
`), "calls.jsonl")
	want := `calls.jsonl:1:26: args[0] must be text; quote it: "5"
calls.jsonl:3:17: the line isn't JSON: it ends too early
calls.jsonl:4:1: the call must be a map, not a list
calls.jsonl:6:11: method can't be exce; did you mean exec?
calls.jsonl:6:18: arg is an unknown key; did you mean args?
calls.jsonl:7:25: args[0] is missing
calls.jsonl:7:46: expect.regex isn't a valid regular expression: error parsing regexp: missing closing ): ` + "`(`" + `
calls.jsonl:8:1: the call can't have both expect and expect_error
calls.jsonl:9:2: metod is an unknown key; did you mean method?
calls.jsonl:10:2: metod is an unknown key; did you mean method?
calls.jsonl:10:17: kwarg is an unknown key; did you mean kwargs?
calls.jsonl:10:28: xyz is an unknown key; it can be args, expect, expect_error, kwargs, method
calls.jsonl:11:1: kwargs.session_id is missing
calls.jsonl:11:36: args must be empty: pty_write_stdin has only kwargs`
	if err == nil {
		t.Fatal("there is no error")
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAReaderThatFailsEndsTheCalls(t *testing.T) {
	broken := errors.New("broken")
	reader := io.MultiReader(strings.NewReader("{\"method\":\"exec\",\"args\":[]}\n"), iotest.ErrReader(broken))
	calls, failures := 0, 0
	for _, err := range scripts.ReadCalls(reader, "-") {
		if err == nil {
			calls++
			continue
		}
		failures++
		if !errors.Is(err, broken) || err.Error() != "-:2:1: can't be read: broken" {
			t.Errorf("got %v", err)
		}
	}
	if calls != 1 || failures != 1 {
		t.Errorf("%d calls and %d failures", calls, failures)
	}
}

func TestALineThatNeverEndsIsAnError(t *testing.T) {
	endless := io.LimitReader(zeros{}, 1<<30)
	_, err := scripts.ReadAllCalls(endless, "-")
	if err == nil || !strings.Contains(err.Error(), "longer than 16 MiB") {
		t.Errorf("got %v", err)
	}
}

func TestBinaryInputIsOneProblem(t *testing.T) {
	input := "{\"method\":\"exec\",\"args\":[]}\n" + strings.Repeat("\xff\x00\n", 10_000)
	_, err := scripts.ReadAllCalls(strings.NewReader(input), "-")
	if err == nil || err.Error() != "-:2:1: the line isn't text in UTF-8" {
		t.Errorf("got %.300v", err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}
