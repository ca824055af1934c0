package metered

import (
	"fmt"
	"strings"
	"sync"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// maxPages is the most pages of a memory that can be looked at as a whole: 4 GiB can't.
const maxPages = 1<<16 - 1

// A State is what an instance was at some time: its memory and its globals. It is
// immutable once it is made, and safe for concurrent use.
type State struct {
	module  [32]byte // the digest of the module
	pages   uint32
	globals []value
	content content

	once   sync.Once
	digest [32]byte
}

// A value is that of a global.
type value struct {
	kind engine.ValueType
	bits uint64
}

// State copies the state of an idle instance. It fails with a [*StateError].
func (m *Meter) State() (*State, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	s := &State{module: m.module.digest, pages: m.pages()}
	if s.pages > maxPages {
		return nil, &StateError{Volatile, "its memory has 4 GiB"}
	}
	for _, g := range m.globals {
		s.globals = append(s.globals, value{g.Type(), g.Get()})
	}
	s.content = contentOf(m.bytes())
	return s, nil
}

// Restore gives the instance, which has to be idle, the state of one of the same
// module. A memory that is too small grows; one that is larger can't shrink. It fails
// with a [*StateError], and then hasn't changed anything but perhaps the size of the
// memory. What the instance has counted stays.
func (m *Meter) Restore(s *State) error {
	if err := m.check(); err != nil {
		return err
	}
	if s.module != m.module.digest || !m.hasGlobals(s.globals) {
		return &StateError{Kind: OtherModule}
	}
	switch pages := m.pages(); {
	case pages > s.pages:
		return &StateError{LargerMemory, fmt.Sprintf("it has %d pages, the state %d", pages, s.pages)}
	case pages < s.pages:
		memory := m.instance.inner.Memory()
		if memory == nil || !memory.Grow(s.pages-pages) {
			return &StateError{NoMemory, fmt.Sprintf("it has %d pages, the state %d", pages, s.pages)}
		}
	}
	s.content.write(m.bytes())
	for i, g := range s.globals {
		m.globals[i].Set(g.bits)
	}
	return nil
}

// Fits says why instances of the module can't have a state, whatever their limits: it
// fails with a [*StateError], or is nil.
func (m *Module) Fits(s *State) error {
	switch least, most := m.pages[0], m.pages[1]; {
	case len(m.volatile) > 0:
		return &StateError{Volatile, strings.Join(m.volatile, ", ")}
	case s.module != m.digest:
		return &StateError{Kind: OtherModule}
	case s.pages < least || s.pages > most:
		return &StateError{OtherModule, fmt.Sprintf("its memory has %d pages, not %d to %d", s.pages, least, most)}
	case len(s.globals) != len(m.globals):
		return &StateError{OtherModule, fmt.Sprintf("it has %d globals, not %d", len(s.globals), len(m.globals))}
	}
	for i, g := range m.globals {
		if engine.ValueType(g.Type) != s.globals[i].kind {
			return &StateError{OtherModule, fmt.Sprintf("its global %d has another type", g.Index)}
		}
	}
	return nil
}

// check makes sure that there is a state to be read and written.
func (m *Meter) check() error {
	switch {
	case len(m.module.volatile) > 0:
		return &StateError{Volatile, strings.Join(m.module.volatile, ", ")}
	case m.closed.Load():
		return &StateError{NotIdle, "it is closed"}
	case m.running:
		return &StateError{NotIdle, "it is in a call"}
	case m.dead:
		return &StateError{NotIdle, "its last call has failed"}
	}
	if m.globals == nil {
		m.globals = make([]engine.Global, 0, len(m.module.globals))
		for _, g := range m.module.globals {
			global, ok := m.instance.inner.Global(g.Export)
			if !ok {
				return &StateError{NotIdle, "it is closed"}
			}
			m.globals = append(m.globals, global)
		}
	}
	return nil
}

func (m *Meter) hasGlobals(values []value) bool {
	if len(values) != len(m.globals) {
		return false
	}
	for i, g := range m.globals {
		if g.Type() != values[i].kind {
			return false
		}
	}
	return true
}

// bytes is the memory of the instance.
func (m *Meter) bytes() []byte {
	memory := m.instance.inner.Memory()
	if memory == nil {
		return nil
	}
	all, _ := memory.View(0, uint32(memory.Size()))
	return all
}
