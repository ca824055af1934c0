package wasi

import (
	"errors"
	"slices"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// busyState is a world with all that a state can have, and its configuration.
func busyState(tb testing.TB) (*world, Config, []byte) {
	tb.Helper()
	files := workspace.New(workspace.Config{})
	if err := errors.Join(files.WriteFile("a", []byte("abcdef"), 0), files.MkdirAll("d/e", 0)); err != nil {
		tb.Fatal(err)
	}
	config := Config{Seed: 7, Now: 1e18, Stdin: []byte("0123456789"), Files: files}
	w := newWorld(tb, config)
	open := func(name string, flags uint64) uint64 {
		w.put(0, name)
		w.wants(success, "path_open", 3, 0, 0, uint64(len(name)), flags, rightFdRead|rightFdSeek|rightFdTell|rightReaddir, 0, 0, 100)
		return uint64(w.u32(100))
	}
	_ = w.random()
	w.vectors(200, 300, 4)
	w.wants(success, "fd_read", 0, 200, 1, 208)
	w.wants(success, "fd_seek", open("a", 0), 2, seekStart, 100)
	w.wants(success, "fd_readdir", open("d", openDirectory), 400, 30, 0, 100)
	w.wants(success, "fd_close", open("a", 0))
	w.wants(success, "fd_close", 3)
	b, err := w.env.State().MarshalBinary()
	if err != nil {
		tb.Fatal(err)
	}
	return w, config, b
}

func TestAStateTravelsAsBytes(t *testing.T) {
	w, config, b := busyState(t)
	var s State
	if err := s.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	if again, _ := s.MarshalBinary(); !slices.Equal(again, b) {
		t.Errorf("it is encoded as %q, and was %q", again, b)
	}
	config.Files = config.Files.Clone()
	other := w.putBack(config, &s)
	if want := w.env.State().Append(nil); !slices.Equal(other.env.State().Append(nil), want) {
		t.Error("the Env is another one")
	}
	for range 3 {
		if got, want := other.random(), w.random(); got != want {
			t.Errorf("random bytes %x, want %x", got, want)
		}
	}
	if again, _ := other.env.State().MarshalBinary(); len(again) != len(b) {
		t.Errorf("the state of the other Env is %q", again)
	}
}

func TestDamagedWorldsAreRefusedOrDoNoHarm(t *testing.T) {
	_, config, b := busyState(t)
	for at := range b {
		var s State
		if err := s.UnmarshalBinary(b[:at]); !errors.Is(err, ErrMalformedState) {
			t.Errorf("cut at %d: %v", at, err)
		}
		flipped := slices.Clone(b)
		flipped[at] ^= 0x81
		restoreAny(t, config, flipped)
	}
	var s State
	if err := s.UnmarshalBinary(append(slices.Clone(b), 0)); !errors.Is(err, ErrMalformedState) {
		t.Errorf("longer: %v", err)
	}
}

// Two descriptors can't be what one was from the start.
func TestAFolderFromTheStartIsOpenOnce(t *testing.T) {
	config := Config{Files: workspace.New(workspace.Config{})}
	s := NewEnv(config).State()
	first, last := &s.open[3].state, &s.open[len(s.open)-1].state
	if first.preopen != last.preopen || first.first == last.first {
		t.Fatalf("%+v, %+v", first, last)
	}
	last.first = first.first
	if err := NewEnv(config).Restore(s); !errors.Is(err, ErrOtherEnv) {
		t.Errorf("error %v", err)
	}
}

// restoreAny puts a new world into a state, if it is one.
func restoreAny(t *testing.T, config Config, b []byte) {
	t.Helper()
	var s State
	if err := s.UnmarshalBinary(b); err != nil {
		if !errors.Is(err, ErrMalformedState) {
			t.Errorf("error %v", err)
		}
		return
	}
	if again, _ := s.MarshalBinary(); !slices.Equal(again, b) {
		t.Errorf("%q is encoded as %q", b, again)
	}
	config.Files = config.Files.Clone()
	env := NewEnv(config)
	if err := env.Restore(&s); err != nil {
		if !errors.Is(err, ErrOtherEnv) {
			t.Errorf("error %v", err)
		}
		return
	}
	for fd := range uint32(12) { // nothing that is open is half there
		if d := env.fds.get(fd); d != nil && d.stream == noStream && d.handle == nil {
			t.Errorf("descriptor %d leads nowhere", fd)
		}
	}
	env.Close()
}

func FuzzStateBinary(f *testing.F) {
	_, config, b := busyState(f)
	f.Add(b)
	empty, _ := NewEnv(Config{}).State().MarshalBinary()
	f.Add(empty)
	f.Fuzz(func(t *testing.T, b []byte) { restoreAny(t, config, b) })
}
