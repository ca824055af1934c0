package scripts

import (
	"errors"
	"strings"
)

// A VolatileError says that the state of a module's guests can't be copied: a session
// that uses the module has no checkpoint. It is the cause of a warning.
type VolatileError struct {
	Module  string
	Reasons []string // as Volatile of [host.Module] tells them; at least one
}

func (e *VolatileError) Error() string {
	return "the state of module " + e.Module + " can't be copied: " + strings.Join(e.Reasons, ", ")
}

// Volatile are those of the warnings that tell of guests whose state can't be copied, so
// that no session of the script in which they were called has a checkpoint. Each has a
// *VolatileError as its cause.
func (s *Script) Volatile() (found []*Problem) {
	for _, w := range s.Warnings {
		if _, ok := errors.AsType[*VolatileError](w); ok {
			found = append(found, w)
		}
	}
	return found
}

// volatileWarnings tells of the guests that steps use, and whose state can't be copied.
func (p *parser) volatileWarnings() []*Problem {
	list := problems{file: p.file}
	for _, name := range sortedKeys(p.modules) {
		m := p.modules[name]
		if m.loaded == nil || !m.used {
			continue
		}
		if why := m.loaded.Volatile(); len(why) > 0 {
			err := &VolatileError{Module: name, Reasons: why}
			list.add(m.node.position, m.field, "has state that can't be copied, so that there is no checkpoint: "+
				strings.Join(why, ", "), err)
		}
	}
	return list.list
}
