package wasi

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// ErrOtherEnv is the error of an Env that can't be put into a state, because it doesn't
// have what was open in it.
var ErrOtherEnv = errors.New("wasi: what was open can't be opened")

// A State is what the Env of an instance was at some time: its clocks, where it was in
// its random bytes and its input, and what it had open. It is immutable, and safe
// for concurrent use.
type State struct {
	clock  clock
	random rand.ChaCha8
	given  []byte
	ended  bool
	open   []opened
	listed int
	looked bool

	nameless bool
}

// opened is what a descriptor was.
type opened struct {
	used  bool       // else nothing has its number
	state descriptor // without its handle
	inode uint64     // of a file or folder that the guest has opened itself
	how   workspace.OpenOptions
}

// State gives the state of the Env. What was written and not drained isn't part
// of it; nor are arguments and environment, which don't change.
func (e *Env) State() *State {
	s := &State{
		clock: e.clock, random: *e.random, given: e.input.given, ended: e.input.ended,
		open: make([]opened, len(e.fds.open)), listed: e.listed, looked: e.looked,
	}
	for i, d := range e.fds.open {
		if d == nil {
			continue
		}
		o := &s.open[i]
		o.used, o.state = true, *d
		o.state.handle = nil
		if d.handle != nil && d.first == 0 {
			info := d.handle.Info()
			o.inode, o.how = info.Inode, d.handle.Options()
			s.nameless = s.nameless || info.Links == 0
		}
	}
	return s
}

// Restore puts the Env, which has to be new, into a state of one with the same
// configuration. Its tree has to hold the same files with the same inode numbers, as a
// clone does. Files that had no name any more can't be found there; the error then wraps
// [ErrOtherEnv], and the Env can't be used.
func (e *Env) Restore(s *State) error {
	first := e.fds.open
	e.fds.open = make([]*descriptor, len(s.open), max(len(s.open), len(e.first)))
	e.fds.free = 0
	var failed error
	for i := range s.open {
		if o := &s.open[i]; o.used {
			d, err := e.reopen(o, first)
			if err != nil {
				failed = errors.Join(failed, fmt.Errorf("descriptor %d: %w", i, err))
			}
			e.fds.open[i] = d
		}
	}
	for _, d := range first {
		if d != nil && d.handle != nil { // it was closed
			_ = d.handle.Close()
		}
	}
	if failed != nil {
		e.Close()
		return failed
	}
	*e.random = s.random
	e.clock, e.listed, e.looked = s.clock, s.listed, s.looked
	e.input.given, e.input.ended = s.given, s.ended
	return nil
}

// reopen makes a descriptor what it was. From those that are open from the start it
// takes the handle.
func (e *Env) reopen(o *opened, first []*descriptor) (*descriptor, error) {
	d := new(descriptor)
	*d = o.state
	switch {
	case d.stream != noStream:
		return d, nil
	case d.first > 0:
		if d.first >= len(first) || first[d.first] == nil || first[d.first].handle == nil || first[d.first].preopen != d.preopen {
			return nil, ErrOtherEnv
		}
		d.handle, first[d.first].handle = first[d.first].handle, nil
		return d, nil
	case e.files == nil:
		return nil, ErrOtherEnv
	}
	handle, err := e.files.OpenInode(o.inode, o.how)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOtherEnv, err)
	}
	if kind := handle.Info().Mode.Type(); kind&^fs.ModeDir != 0 || kind.IsDir() != d.isFolder() {
		_ = handle.Close()
		return nil, ErrOtherEnv
	}
	d.handle = handle
	return d, nil
}

// HasNameless reports whether something was open that has no name any more, so that
// another Env can't be put into the state.
func (s *State) HasNameless() bool { return s.nameless }

// LookedAtFiles reports whether the guest had used files, or tried to.
func (s *State) LookedAtFiles() bool { return s.looked }

// LookedAtFiles reports whether the guest has used files: then what it has become
// follows from what was there, and there is what it has made.
func (e *Env) LookedAtFiles() bool { return e.looked && e.files != nil }

// Origin tells apart Envs in which guests that don't look at files may see different
// things from the start, other than by time, seed and input.
func (e *Env) Origin() string {
	if e.files == nil && len(e.args) == 0 && len(e.environ) == 0 {
		return ""
	}
	var b strings.Builder
	for _, list := range [][]string{e.args, e.environ} {
		for _, text := range list {
			b.WriteString(text)
			b.WriteByte(0)
		}
		b.WriteByte(0)
	}
	for _, d := range e.fds.open {
		if d.handle != nil {
			fmt.Fprintf(&b, "%s\x00%t\x00", d.preopen, d.above)
		}
	}
	return b.String()
}

// Append adds the state to b, in a form in which only states are the same between which
// a guest can't tell, for digests. It isn't for [State.UnmarshalBinary].
func (s *State) Append(b []byte) []byte {
	b = s.appendStreams(b)
	for i := range s.open {
		if s.open[i].used { // other numbers aren't taken, however many there were
			b = s.open[i].append(binary.AppendUvarint(b, uint64(i)))
		}
	}
	return b
}

// looksAtFiles tells of a function whether what it does depends on the files, or
// changes them. Those that need an open file for that don't count: opening it did.
func looksAtFiles(name string) bool {
	switch name {
	case "fd_read", "fd_write", "fd_pread", "fd_pwrite", "fd_seek", "fd_tell", "fd_close", "fd_renumber",
		"fd_fdstat_get", "fd_fdstat_set_flags", "fd_fdstat_set_rights", "fd_prestat_get", "fd_prestat_dir_name":
		return false
	}
	return strings.HasPrefix(name, "fd_") || strings.HasPrefix(name, "path_")
}
