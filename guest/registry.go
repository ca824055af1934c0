package guest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A handler is what the host calls by one id: a matcher, or the responders that
// share a name.
type handler struct {
	name    string
	kind    abi.HandlerKind
	methods []Method // ascending; empty: all
	match   func(*Call) Verdict
	respond [abi.Write + 1]func(*Call) (Result, error)
}

func (h *handler) serves(m Method) bool {
	return len(h.methods) == 0 || slices.Contains(h.methods, m)
}

func (m *module) addMatcher(name string, match func(*Call) Verdict, methods []Method) {
	h, found := m.register(abi.HandlerMatch, name, methods)
	if found {
		m.misuse("the matcher " + name + " is registered twice")
	}
	h.match = match
}

func (m *module) addResponder(name string, respond func(*Call) (Result, error), methods []Method) {
	h, found := m.register(abi.HandlerRespond, name, methods)
	if len(methods) == 0 {
		methods = abi.Methods()
	}
	for _, method := range methods {
		if found && h.respond[method] != nil {
			m.misuse("the responder " + name + " is registered twice for " + method.String())
		}
		h.respond[method] = respond
	}
}

// register finds or makes a handler, and adds to its methods. Handlers ascend by
// kind and name, and their ids count from one: they don't depend on the order of
// registration.
func (m *module) register(kind abi.HandlerKind, name string, methods []Method) (h *handler, found bool) {
	if m.frozen {
		m.misuse("handlers are registered during initialisation, not later: " + name)
	}
	i, found := slices.BinarySearchFunc(m.handlers, handler{kind: kind, name: name}, compareHandler)
	if !found {
		m.handlers = slices.Insert(m.handlers, i, &handler{kind: kind, name: name})
	}
	h = m.handlers[i]
	if found && len(h.methods) == 0 {
		m.misuse("the " + kind.String() + " " + name + " is registered twice, once for all methods")
	}
	for _, method := range methods {
		if !method.Valid() {
			m.misuse("the " + kind.String() + " " + name + " is registered for a method that doesn't exist")
		}
		if i, found := slices.BinarySearch(h.methods, method); !found {
			h.methods = slices.Insert(h.methods, i, method)
		}
	}
	return h, found
}

func compareHandler(h *handler, other handler) int {
	return cmp.Or(cmp.Compare(h.kind, other.kind), strings.Compare(h.name, other.name))
}

// handler finds a handler by its id.
func (m *module) handler(kind abi.HandlerKind, id uint32) *handler {
	if id == 0 || uint64(id) > uint64(len(m.handlers)) || m.handlers[id-1].kind != kind {
		return nil
	}
	return m.handlers[id-1]
}

// misuse ends the guest for a mistake in its code.
func (m *module) misuse(message string) {
	message = "guest: " + message
	if !m.frozen { // during initialisation: nothing else reports the panic
		defer report(message)
	}
	panic(message)
}
