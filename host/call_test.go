package host_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

func call(t *testing.T, index int, r host.Request) host.Call {
	t.Helper()
	c, err := host.NewCall(index, r)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// S2.10, S2.13, S2.18: each call is recorded with the next index, its method and
// its arguments.
func TestEveryMethodIsRecorded(t *testing.T) {
	for i, r := range requests("x") {
		t.Run(r.Method().String(), func(t *testing.T) {
			s := newSession(t, answering(r.Method(), r.Method()))
			for range 2 {
				if _, err := s.Do(t.Context(), r); err != nil {
					t.Fatal(err)
				}
			}
			calls := s.Calls()
			if want := call(t, 1, requests("x")[i]); !calls[1].Equal(want) || calls[0].Equal(want) {
				t.Errorf("recorded %v %v", calls[1].Args(), calls[1].Kwargs())
			}
			if calls[1].Method() != r.Method() || calls[1].Index() != 1 {
				t.Errorf("method %v, index %d", calls[1].Method(), calls[1].Index())
			}
		})
	}
}

// S2.21: calls are equal when index, method and all arguments are.
func TestCallsAreEqualByValue(t *testing.T) {
	long := func(change func(*host.PTYExecStartRequest)) host.Request {
		r := &host.PTYExecStartRequest{Command: []string{"a"}, Timeout: 1, User: "u", YieldTime: 1, MaxOutputTokens: 1}
		change(r)
		return r
	}
	same := long(func(*host.PTYExecStartRequest) {})
	for name, other := range map[string]host.Request{
		"another command": long(func(r *host.PTYExecStartRequest) { r.Command = []string{"a", "b"} }),
		"another timeout": long(func(r *host.PTYExecStartRequest) { r.Timeout++ }),
		"another shell":   long(func(r *host.PTYExecStartRequest) { r.Shell = host.NoShell() }),
		"another wrapper": long(func(r *host.PTYExecStartRequest) { r.Shell = host.ShellCommand("sh") }),
		"another user":    long(func(r *host.PTYExecStartRequest) { r.User = "" }),
		"a terminal":      long(func(r *host.PTYExecStartRequest) { r.TTY = true }),
		"another yield":   long(func(r *host.PTYExecStartRequest) { r.YieldTime++ }),
		"another limit":   long(func(r *host.PTYExecStartRequest) { r.MaxOutputTokens++ }),
		"another method":  &host.ExecRequest{Command: []string{"a"}, Timeout: 1, User: "u"},
	} {
		if call(t, 0, same).Equal(call(t, 0, other)) {
			t.Errorf("%s makes no difference", name)
		}
	}
	if call(t, 0, same).Equal(call(t, 1, same)) || call(t, 0, same).Equal(host.Call{}) || !(host.Call{}).Equal(host.Call{}) {
		t.Error("the index or the absence of a request makes no difference")
	}
	patch := func(diff *string) host.Call {
		return call(t, 0, &host.ApplyPatchRequest{Operations: []host.PatchOperation{{Diff: diff}}})
	}
	if patch(nil).Equal(patch(new(""))) || !patch(new("d")).Equal(patch(new("d"))) {
		t.Error("a diff that wasn't given is like an empty one")
	}
	write := func(data string) host.Call {
		return call(t, 0, &host.WriteRequest{Path: "p", Data: strings.NewReader(data)})
	}
	if !write("x").Equal(write("x")) || write("x").Equal(write("y")) {
		t.Error("streams aren't compared by their content")
	}
}

// S2.21: each field of each method's request, also those inside of others.
func TestNoFieldOfARequestIsLeftOutOfTheComparison(t *testing.T) {
	for i, r := range requests("x") {
		same := call(t, 0, r)
		for field := range fields(reflect.ValueOf(requests("x")[i])) {
			other := requests("x")[i]
			alter(fields(reflect.ValueOf(other))[field])
			if same.Equal(call(t, 0, other)) || call(t, 0, other).Equal(same) {
				t.Errorf("of %v the field %d makes no difference: %+v", r.Method(), field, other)
			}
		}
	}
}

// fields are the fields of a request that hold no others.
func fields(v reflect.Value) []reflect.Value {
	var all []reflect.Value
	switch v.Kind() {
	case reflect.Pointer:
		return fields(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			all = append(all, fields(v.Field(i))...)
		}
	case reflect.Slice:
		for i := range v.Len() {
			all = append(all, fields(v.Index(i))...)
		}
	default:
		all = append(all, v)
	}
	return all
}

func alter(field reflect.Value) {
	switch {
	case field.CanInt():
		field.SetInt(field.Int() + 1)
	case field.CanUint():
		field.SetUint(field.Uint() + 1)
	case field.Kind() == reflect.Bool:
		field.SetBool(!field.Bool())
	case field.Kind() == reflect.String:
		field.SetString("altered")
	default:
		field.Set(reflect.ValueOf(strings.NewReader("altered")))
	}
}

// S2.19, S2.20, S2.22: all that a call hands out belongs to who asked for it.
func TestACallCantBeChanged(t *testing.T) {
	for i, r := range requests("x") {
		t.Run(r.Method().String(), func(t *testing.T) {
			c := call(t, 0, r)
			scramble(r)
			scramble(c.Request())
			for j := range c.Args() {
				c.Args()[j] = "changed"
			}
			clear(c.Kwargs())
			for _, arg := range c.Args() {
				if list, ok := arg.([]any); ok {
					clear(list[0].(map[string]any))
				}
			}
			if !c.Equal(call(t, 0, requests("x")[i])) {
				t.Errorf("the call is %v %v now", c.Args(), c.Kwargs())
			}
		})
	}
}

// S2.6, S2.22: what the caller does with a request after the call has no effect on its
// record, by whatever way the call was made.
func TestARequestMayBeChangedAfterItsCall(t *testing.T) {
	ways := map[string]func(*host.Scripted, host.Request) error{
		"by Do": func(s *host.Scripted, r host.Request) error { _, err := s.Do(t.Context(), r); return err },
		"by its method": func(s *host.Scripted, r host.Request) (err error) {
			switch r := r.(type) {
			case *host.ApplyPatchRequest:
				_, err = s.ApplyPatch(t.Context(), *r)
			case *host.ExecRequest:
				_, err = s.Exec(t.Context(), *r)
			case *host.PTYExecStartRequest:
				_, err = s.PTYExecStart(t.Context(), *r)
			case *host.WriteRequest:
				err = s.Write(t.Context(), *r)
			}
			return err
		},
	}
	shares := []host.Method{host.MethodApplyPatch, host.MethodExec, host.MethodPTYExecStart, host.MethodWrite}
	for way, makeCall := range ways {
		for _, method := range shares {
			t.Run(method.String()+" "+way, func(t *testing.T) {
				s := newSession(t, answering(method))
				r := request(method)
				if err := makeCall(s, r); err != nil {
					t.Fatal(err)
				}
				scramble(r)
				if got := s.Calls()[0]; !got.Equal(call(t, 0, request(method))) {
					t.Errorf("the record is %v %v now", got.Args(), got.Kwargs())
				}
			})
		}
	}
}

// scramble changes all that a request shares with its copies.
func scramble(r host.Request) {
	switch r := r.(type) {
	case *host.ApplyPatchRequest:
		*r.Operations[0].Diff, *r.Operations[0].MoveTo = "changed", "changed"
		r.Operations[0].Path = "changed"
	case *host.ExecRequest:
		r.Command[0], r.Shell.Argv[0], r.User = "changed", "changed", "changed"
	case *host.PTYExecStartRequest:
		r.Command[0], r.Shell.Argv[0] = "changed", "changed"
	case *host.WriteRequest:
		_, _ = r.Data.Read(make([]byte, 1))
		r.Path = "changed"
	case *host.ReadRequest:
		r.Path = "changed"
	}
}

func TestTypedArguments(t *testing.T) {
	calls := map[host.Method]host.Call{}
	for _, r := range requests("x") {
		calls[r.Method()] = call(t, 0, r)
	}
	ask := func(c host.Call) map[host.Method]any {
		found := map[host.Method]any{}
		note := func(m host.Method, r any, ok bool) {
			if ok {
				found[m] = r
			}
		}
		r1, ok := c.ApplyPatch()
		note(host.MethodApplyPatch, r1.PatchFormat, ok)
		r2, ok := c.Exec()
		note(host.MethodExec, r2.User, ok)
		r3, ok := c.Ls()
		note(host.MethodLs, r3.Path, ok)
		r4, ok := c.Mkdir()
		note(host.MethodMkdir, r4.Path, ok)
		r5, ok := c.PTYExecStart()
		note(host.MethodPTYExecStart, r5.User, ok)
		r6, ok := c.PTYWriteStdin()
		note(host.MethodPTYWriteStdin, r6.Chars, ok)
		r7, ok := c.Read()
		note(host.MethodRead, r7.Path, ok)
		r8, ok := c.Rm()
		note(host.MethodRm, r8.Path, ok)
		r9, ok := c.Write()
		note(host.MethodWrite, r9.Path, ok)
		return found
	}
	for method, c := range calls {
		if found := ask(c); !reflect.DeepEqual(found, map[host.Method]any{method: "x"}) {
			t.Errorf("a call of %v has the arguments of %v", method, found)
		}
		if _, ok := c.Data(); ok != (method == host.MethodWrite) {
			t.Errorf("a call of %v has data: %v", method, ok)
		}
	}
	if found := ask(host.Call{}); len(found) != 0 || (host.Call{}).Request() != nil || (host.Call{}).Method() != 0 {
		t.Errorf("the zero call has %v", found)
	}
}

// S2.11, S2.14: what isn't a request is turned down, and leaves no trace.
func TestCallsThatWereNeverMade(t *testing.T) {
	tests := map[string]host.Request{
		"nil":                 nil,
		"a nil request":       (*host.ExecRequest)(nil),
		"a type of one's own": ownRequest{},
	}
	for name, r := range tests {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, answering(host.MethodExec))
			_, err := s.Do(t.Context(), r)
			wantError[*host.SnapshotError](t, err)
			if _, err := host.NewCall(0, r); err == nil {
				t.Error("NewCall takes it")
			}
			wantCalls(t, s)
			wantRemaining(t, s, 1)
		})
	}
}

type ownRequest struct{}

func (ownRequest) Method() host.Method { return host.MethodExec }

// S2.12, S2.13: calls that fail after their snapshot are recorded, and take an
// index.
func TestFailedCallsAreRecorded(t *testing.T) {
	matcher := host.MatcherFunc(func(_ context.Context, c host.Call) (host.Verdict, error) {
		switch c.Index() {
		case 1:
			return rejection, nil
		case 2:
			return host.Verdict{}, errBoom
		default:
			return host.Accept(), nil
		}
	})
	s := newSession(t, []host.Step{
		matching(matcher),
		{Method: host.MethodExec, Outcome: host.Fail(errBoom)},
		respond(func(context.Context, host.Call) (any, error) { return nil, errBoom }),
		{Method: host.MethodRead, Outcome: host.Return("")},
	})
	calls := []struct {
		method host.Method
		want   string
	}{
		{host.MethodRead, "unexpected"}, // #1: a mismatch
		{host.MethodExec, "rejected"},
		{host.MethodExec, "boom"}, // by the matcher
		{host.MethodExec, ""},
		{host.MethodExec, "boom"}, // as scripted
		{host.MethodExec, "boom"}, // by the responder
		{host.MethodRead, ""},
		{host.MethodRead, "unexpected"}, // the script is exhausted
	}
	for i, c := range calls {
		if _, err := s.Do(t.Context(), request(c.method)); errorKind(err) != c.want {
			t.Errorf("call #%d ends with %v, want %q", i+1, err, c.want)
		}
		if last := s.History()[i]; last.Call.Index() != i || last.Call.Method() != c.method || errorKind(last.Err) != c.want || !last.Done {
			t.Errorf("call #%d is recorded as %+v", i+1, last)
		}
	}
}

func errorKind(err error) string {
	if err == nil {
		return ""
	}
	if _, ok := errors.AsType[*host.UnexpectedCallError](err); ok {
		return "unexpected"
	}
	if _, ok := errors.AsType[*host.MatcherRejectedError](err); ok {
		return "rejected"
	}
	return err.Error()
}

// S2.29: exec prepares no command.
func TestExecIsRecordedRaw(t *testing.T) {
	s := newSession(t, answering(host.MethodExec))
	r := host.ExecRequest{Command: []string{"a b", "../c"}, Shell: host.ShellCommand("bash", "-c"), User: "me", Timeout: time.Second}
	if _, err := s.Exec(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if got, _ := s.Calls()[0].Exec(); !reflect.DeepEqual(got, r) {
		t.Errorf("recorded %+v", got)
	}
}
