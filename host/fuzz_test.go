package host_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

func addPlain(f *testing.F, method host.Method, values ...any) {
	var texts [2]string
	for i, v := range values {
		text, err := json.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		texts[i] = string(text)
	}
	if len(values) == 1 {
		f.Add(uint8(method), texts[0])
	} else {
		f.Add(uint8(method), texts[0], texts[1])
	}
}

// FuzzNewRequest: no plain arguments make NewRequest panic, and what it makes of
// them can be recorded and shown again.
func FuzzNewRequest(f *testing.F) {
	for _, c := range plainCalls {
		addPlain(f, c.call.Method(), c.args, c.kwargs)
	}
	f.Add(uint8(99), `[null]`, `{"user": [1e400]}`)
	f.Fuzz(func(t *testing.T, method uint8, argsText, kwargsText string) {
		var args []any
		var kwargs map[string]any
		if json.Unmarshal([]byte(argsText), &args) != nil || json.Unmarshal([]byte(kwargsText), &kwargs) != nil {
			return
		}
		r, err := host.NewRequest(host.Method(method), args, kwargs)
		if err != nil {
			return
		}
		c := call(t, 0, r)
		again, err := host.NewRequest(c.Method(), c.Args(), c.Kwargs())
		if err != nil {
			t.Fatalf("%v %v: %v", c.Args(), c.Kwargs(), err)
		}
		// A float64 has the nanoseconds of a week, but not of a year.
		if d := call(t, 0, again); !longTimes(c) && (!reflect.DeepEqual(d.Args(), c.Args()) || !reflect.DeepEqual(d.Kwargs(), c.Kwargs())) {
			t.Errorf("%v %v became %v %v", c.Args(), c.Kwargs(), d.Args(), d.Kwargs())
		}
	})
}

func longTimes(c host.Call) bool {
	for _, name := range []string{"timeout", "yield_time_s"} {
		if seconds, ok := c.Kwargs()[name].(float64); ok && seconds > (7*24*time.Hour).Seconds() {
			return true
		}
	}
	return false
}

// FuzzParseResult: no plain value makes ParseResult panic, and what it makes of
// one is a result of the method, and can be shown again.
func FuzzParseResult(f *testing.F) {
	for method, result := range answers {
		addPlain(f, method, host.PlainResult(result))
	}
	f.Add(uint8(host.MethodLs), `[{"path": "a", "permissions": "drwxr-sr-t+", "size": 1e15}]`)
	f.Fuzz(func(t *testing.T, number uint8, text string) {
		var plain any
		if json.Unmarshal([]byte(text), &plain) != nil {
			return
		}
		method := host.Method(number)
		result, err := host.ParseResult(method, plain)
		if err != nil {
			return
		}
		if _, err := host.NewScripted([]host.Step{{Method: method, Outcome: host.Return(result)}}); err != nil {
			t.Fatalf("no step takes %#v: %v", result, err)
		}
		shown := host.PlainResult(result)
		again, err := host.ParseResult(method, shown)
		if err != nil || !reflect.DeepEqual(host.PlainResult(again), shown) {
			t.Errorf("%v became %v, %v", shown, again, err)
		}
	})
}
