package wasi

import (
	"slices"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// Of two Envs between which a guest can tell, now or later, the states don't look the
// same: digests are made of them.
func TestStatesThatAGuestCanTellApartDiffer(t *testing.T) {
	folder := func(s *State) *descriptor { // one that keeps what it has listed
		i := slices.IndexFunc(s.open, func(o opened) bool { return o.used && o.state.listing != nil })
		d := &s.open[i].state
		d.listing = slices.Clone(d.listing)
		return d
	}
	file := func(s *State) *opened {
		i := slices.IndexFunc(s.open, func(o opened) bool { return o.used && o.inode != 0 && o.state.listing == nil })
		return &s.open[i]
	}
	start := func(s *State) *opened {
		i := slices.IndexFunc(s.open, func(o opened) bool { return o.used && o.state.preopen != "" })
		return &s.open[i]
	}
	seen := map[string]string{}
	for name, change := range map[string]func(*State){
		"the state itself":         func(*State) {},
		"the realtime clock":       func(s *State) { s.clock.realtime++ },
		"the monotonic clock":      func(s *State) { s.clock.monotonic++ },
		"the tick":                 func(s *State) { s.clock.tick++ },
		"the random bytes":         func(s *State) { _ = s.random.Uint64() },
		"half a random number":     func(s *State) { _, _ = s.random.Read(make([]byte, 3)) },
		"unread input":             func(s *State) { s.given = []byte("456780") },
		"less of it":               func(s *State) { s.given = s.given[1:] },
		"its end":                  func(s *State) { s.ended = true },
		"an offset":                func(s *State) { file(s).state.offset++ },
		"flags":                    func(s *State) { file(s).state.flags ^= fdAppend },
		"rights":                   func(s *State) { file(s).state.rights ^= rightFdWrite },
		"inherited rights":         func(s *State) { folder(s).inheriting ^= rightFdWrite },
		"another file":             func(s *State) { file(s).inode++ },
		"how a file is open":       func(s *State) { file(s).how.Write = true },
		"where paths start":        func(s *State) { d := &start(s).state; d.above = !d.above },
		"an entry's name":          func(s *State) { folder(s).listing[2].name = "f" },
		"an entry's inode":         func(s *State) { folder(s).listing[2].inode++ },
		"an entry less":            func(s *State) { d := folder(s); d.listing = d.listing[:2] },
		"nothing listed":           func(s *State) { folder(s).listing = nil },
		"standard input is closed": func(s *State) { s.open[0] = opened{} },
		"two streams in one":       func(s *State) { s.open[2].state = s.open[1].state },
	} {
		w, _, _ := busyState(t)
		s := w.env.State()
		change(s)
		looks := string(s.Append(nil))
		if other, ok := seen[looks]; ok {
			t.Errorf("%s: it looks like %s", name, other)
		}
		seen[looks] = name
	}
}

// What a guest can't see makes no difference: what it has closed, and whether it may be
// put back.
func TestStatesThatAGuestCantTellApartAreTheSame(t *testing.T) {
	files := workspace.New(workspace.Config{})
	if err := files.WriteFile("a", nil, 0); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, Config{Files: files})
	before := w.env.State().Append(nil)
	w.put(0, "a")
	w.wants(success, "path_open", 3, 0, 0, 1, 0, rightFdRead, 0, 0, 100)
	if opened := w.env.State().Append(nil); slices.Equal(opened, before) {
		t.Error("an open file can't be seen")
	}
	w.wants(success, "fd_close", uint64(w.u32(100)))
	if after := w.env.State().Append(nil); !slices.Equal(after, before) {
		t.Errorf("the state is %q, and was %q", after, before)
	}
}
