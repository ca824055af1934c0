package wasi

import (
	"errors"
	"slices"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// putBack puts a new Env of the same configuration into the state of another one.
func (w *world) putBack(config Config, s *State) *world {
	w.t.Helper()
	other := newWorld(w.t, config)
	if err := other.env.Restore(s); err != nil {
		w.t.Fatal(err)
	}
	return other
}

func (w *world) random() uint64 {
	w.t.Helper()
	w.wants(success, "random_get", 0, 5) // not a multiple of what is made at once
	w.wants(success, "random_get", 5, 3)
	return w.u64(0)
}

// An Env that was put into the state of another one goes on as that does, and neither
// knows of the other.
func TestAWorldIsPutIntoAState(t *testing.T) {
	config := Config{Seed: 7, Now: 1e18, Stdin: []byte("0123456789")}
	w := newWorld(t, config)
	step := func(w *world) [3]uint64 {
		random := w.random()
		w.wants(success, "clock_time_get", clockMonotonic, 0, 100)
		w.vectors(200, 300, 4)
		w.wants(success, "fd_read", 0, 200, 1, 208)
		return [3]uint64{random, w.u64(100), uint64(w.u32(300))}
	}
	_ = step(w)
	w.wants(success, "fd_fdstat_set_flags", 1, fdAppend)
	s := w.env.State()
	want, digest := step(w), s.Append(nil)
	for range 2 {
		other := w.putBack(config, s)
		if got := other.env.State().Append(nil); !slices.Equal(got, digest) {
			t.Errorf("the state is %x, want %x", got, digest)
		}
		if got := step(other); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
		if slices.Equal(other.env.State().Append(nil), digest) {
			t.Error("the state doesn't tell")
		}
	}
}

// What is open is open in a clone of the files, at the same numbers and places.
func TestFilesAreOpenAgain(t *testing.T) {
	files := workspace.New(workspace.Config{})
	if err := errors.Join(files.WriteFile("a", []byte("abcdef"), 0), files.WriteFile("gone", nil, 0)); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, Config{Files: files})
	if w.env.LookedAtFiles() {
		t.Error("it has looked at files before it was asked for any")
	}
	open := func(name string) uint64 {
		w.put(0, name)
		w.wants(success, "path_open", 3, 0, 0, uint64(len(name)), 0, rightFdRead|rightFdSeek|rightFdTell, 0, 0, 100)
		return uint64(w.u32(100))
	}
	fd := open("a")
	w.wants(success, "fd_seek", fd, 2, seekStart, 100)
	w.wants(success, "fd_renumber", fd, 4) // one that was open from the start is closed
	if err := files.Rename("a", "b"); err != nil {
		t.Fatal(err)
	}
	s := w.env.State()
	if !w.env.LookedAtFiles() || s.HasNameless() {
		t.Errorf("looked %v, nameless %v", w.env.LookedAtFiles(), s.HasNameless())
	}
	clone := files.Clone()
	if err := clone.WriteFile("b", []byte("ABCDEF"), 0); err != nil {
		t.Fatal(err)
	}
	other := w.putBack(Config{Files: clone}, s)
	other.vectors(200, 300, 3)
	other.wants(success, "fd_read", 4, 200, 1, 208)
	if got := string(other.in.Bytes()[300:303]); got != "CDE" {
		t.Errorf("read %q", got)
	}
	other.wants(success, "fd_prestat_get", 3, 0)
	other.env.Close()

	_ = open("gone")
	if err := files.Remove("gone"); err != nil {
		t.Fatal(err)
	}
	s = w.env.State()
	if !s.HasNameless() {
		t.Error("a removed file has a name")
	}
	if err := NewEnv(Config{Files: files.Clone()}).Restore(s); !errors.Is(err, ErrOtherEnv) {
		t.Errorf("got %v", err)
	}
	if err := NewEnv(Config{}).Restore(s); !errors.Is(err, ErrOtherEnv) {
		t.Errorf("without files: %v", err)
	}
}

// Envs whose guests may see something different from the start have other origins.
func TestWorldsThatStartDifferentlyHaveOtherOrigins(t *testing.T) {
	seen := map[string]int{}
	for i, config := range []Config{
		{}, {Args: []string{"a"}}, {Env: []string{"a"}}, {Args: []string{"a", "b"}},
		{Files: workspace.New(workspace.Config{})},
	} {
		origin := NewEnv(config).Origin()
		if other, ok := seen[origin]; ok {
			t.Errorf("configurations %d and %d have the same origin", i, other)
		}
		seen[origin] = i
	}
}
