package guest

import (
	"slices"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

func nothing(*Call) (Result, error) { return nil, nil }
func anything(*Call) Verdict        { return Accept() }

func TestHandlersAreNumberedByKindAndName(t *testing.T) {
	fresh(t)
	Respond("b", nothing, Write, Exec)
	Match("z", anything)
	OnRm("a", func(*Call, *RmRequest) error { return nil })
	Respond("b", nothing, Read)
	Match("b", anything, Exec)

	got := decode(t, self.describe()).Description.Handlers
	want := []abi.Handler{
		{ID: 1, Name: "b", Kind: abi.HandlerMatch, Methods: []Method{Exec}},
		{ID: 2, Name: "z", Kind: abi.HandlerMatch},
		{ID: 3, Name: "a", Kind: abi.HandlerRespond, Methods: []Method{Rm}},
		{ID: 4, Name: "b", Kind: abi.HandlerRespond, Methods: []Method{Exec, Read, Write}},
	}
	equal := func(a, b abi.Handler) bool {
		return a.ID == b.ID && a.Name == b.Name && a.Kind == b.Kind && slices.Equal(a.Methods, b.Methods)
	}
	if !slices.EqualFunc(got, want, equal) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestRegistrationRefuses(t *testing.T) {
	tests := map[string]struct {
		register func()
		want     string
	}{
		"a method twice": {
			func() { Respond("x", nothing, Read); Respond("x", nothing, Read) },
			"guest: the responder x is registered twice for read",
		},
		"all methods after one": {
			func() { Respond("x", nothing, Read); Respond("x", nothing) },
			"guest: the responder x is registered twice for read",
		},
		"one method after all": {
			func() { Respond("x", nothing); Respond("x", nothing, Read) },
			"guest: the responder x is registered twice, once for all methods",
		},
		"a matcher twice": {
			func() { Match("x", anything, Read); Match("x", anything, Write) },
			"guest: the matcher x is registered twice",
		},
		"an unknown method": {
			func() { Respond("x", nothing, 99) },
			"guest: the responder x is registered for a method that doesn't exist",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			host := fresh(t)
			mustPanic(t, tt.want, tt.register)
			if host.failed == nil || host.failed.Message != tt.want {
				t.Errorf("reported %+v", host.failed)
			}
		})
	}
}

func TestRegistrationEndsWithTheFirstCall(t *testing.T) {
	fresh(t)
	self.describe()
	mustPanic(t, "guest: handlers are registered during initialisation, not later: x", func() { Match("x", anything) })
}

func TestRegistrationEndsWhenTheGuestIsClosed(t *testing.T) {
	fresh(t)
	OnClose(func() error {
		Match("x", anything)
		return nil
	})
	mustPanic(t, "guest: handlers are registered during initialisation, not later: x", func() { self.close() })
}

// The instance that a session opens was never described: a handler that it
// registers then would change the ids that the host knows.
func TestRegistrationEndsWhenTheGuestIsOpened(t *testing.T) {
	fresh(t)
	Respond("right", nothing)
	OnOpen(func(*Open) error {
		Respond("a late one", nothing)
		return nil
	})
	defer func() {
		if p := recover(); p != "guest: handlers are registered during initialisation, not later: a late one" {
			t.Errorf("panicked with %v", p)
		}
	}()
	self.open((&abi.Open{}).Append(nil))
	t.Error("it is registered")
}
