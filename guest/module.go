package guest

import (
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A module is a guest: what it registered, and the state of its session. Its
// methods named as the exports take and return encoded messages; a result is valid
// until the next of them is called.
type module struct {
	name, version, schema string
	handlers              []*handler
	frozen                bool // an export has been called
	onOpen                []func(*Open) error
	onClose               []func() error

	config  Settings
	limits  Limits
	epoch   uint64 // counts the calls of exports that run the guest's code
	call    Call
	outcome outcome
	input   []byte
	output  []byte
}

// self is the guest that this program is.
var self = new(module)

// inlineLimit is the length above which content has to be a blob.
func (m *module) inlineLimit() uint64 {
	if m.limits.InlineBytes == 0 {
		return abi.InlineBytes
	}
	return m.limits.InlineBytes
}

func (m *module) describe() (reply []byte) {
	defer m.rescue(&reply)
	m.frozen = true
	d := &abi.Description{
		Name:         m.name,
		Version:      m.version,
		SDK:          "go",
		SDKVersion:   SDKVersion,
		Language:     "go",
		Toolchain:    runtime.Version(),
		ConfigSchema: m.schema,
	}
	for i, h := range m.handlers {
		d.Handlers = append(d.Handlers, abi.Handler{ID: uint32(i + 1), Name: h.name, Kind: h.kind, Methods: h.methods})
	}
	return m.encode(&abi.Reply{Description: d})
}

func (m *module) open(data []byte) (reply []byte) {
	defer m.rescue(&reply)
	m.frozen = true // a handler registered from here on would change the ids of the others
	m.epoch++
	var open abi.Open
	if err := open.Unmarshal(slices.Clone(data)); err != nil { // cloned, because the configuration stays
		return m.refuse(abi.GuestBadMessage, err.Error())
	}
	m.config, m.limits = Settings{entries: open.Config}, open.Limits
	o := &Open{
		Config:    m.config,
		Seed:      open.Seed,
		StartTime: time.Unix(0, open.StartTimeNS).UTC(),
		Limits:    open.Limits,
	}
	for _, hook := range m.onOpen {
		if err := hook(o); err != nil {
			return m.refuse(abi.GuestBadConfig, err.Error())
		}
	}
	return m.encode(&abi.Reply{Done: true})
}

func (m *module) close() (reply []byte) {
	defer m.rescue(&reply)
	m.frozen = true
	m.epoch++
	for _, hook := range slices.Backward(m.onClose) {
		if err := hook(); err != nil {
			return m.refuse(abi.GuestHandlerFailed, err.Error())
		}
	}
	return m.encode(&abi.Reply{Done: true})
}

func (m *module) match(id uint32, data []byte) (reply []byte) {
	defer m.rescue(&reply)
	h, refused := m.begin(abi.HandlerMatch, id, data)
	if refused != nil {
		return refused
	}
	v := h.match(&m.call)
	if v.err != nil {
		return m.refuse(abi.GuestHandlerFailed, v.err.Error())
	}
	return m.encode(&abi.Reply{Verdict: &v.message})
}

func (m *module) respond(id uint32, data []byte) (reply []byte) {
	defer m.rescue(&reply)
	h, refused := m.begin(abi.HandlerRespond, id, data)
	if refused != nil {
		return refused
	}
	result, err := h.respond[m.call.Method()](&m.call)
	if err := m.outcome.set(m.call.Method(), result, err); err != nil {
		return m.refuse(abi.GuestHandlerFailed, err.Error())
	}
	return m.encode(&abi.Reply{Outcome: &m.outcome.Outcome})
}

// begin starts a call: it finds the handler, and decodes the call into m.call. If
// that fails, it returns the reply that says so.
func (m *module) begin(kind abi.HandlerKind, id uint32, data []byte) (h *handler, refused []byte) {
	m.epoch++
	m.frozen = true
	h = m.handler(kind, id)
	if h == nil {
		return nil, m.refuse(abi.GuestUnknownHandler, "no "+kind.String()+" has the id "+strconv.FormatUint(uint64(id), 10))
	}
	if err := m.call.decode(data, m.epoch); err != nil {
		return nil, m.refuse(abi.GuestBadMessage, err.Error())
	}
	m.call.config = m.config
	if method := m.call.Method(); !h.serves(method) {
		return nil, m.refuse(abi.GuestUnsupportedMethod, "the "+kind.String()+" "+h.name+" doesn't serve "+method.String())
	}
	return h, nil
}
