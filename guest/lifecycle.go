package guest

import "time"

// SDKVersion is the version of this package, which hosts show.
const SDKVersion = "0.1.0"

// An Open is what a guest is told before its first call.
type Open struct {
	Config    Settings
	Seed      uint64    // of the session
	StartTime time.Time // virtual, in UTC
	Limits    Limits
}

// Describe sets the name and version that the host shows for this guest.
func Describe(name, version string) { self.name, self.version = name, version }

// ConfigSchema sets a JSON Schema for the configuration, which the host checks
// before it opens the guest.
func ConfigSchema(schema string) { self.schema = schema }

// OnOpen has h called when a session opens the guest, before any handler. An error
// says that the configuration isn't usable. Several are called in the order of
// their registration.
func OnOpen(h func(*Open) error) { self.onOpen = append(self.onOpen, h) }

// OnClose has h called when the session ends; not after a panic or a limit ended
// the guest. Several are called in the reverse order of their registration, up to
// the first error.
func OnClose(h func() error) { self.onClose = append(self.onClose, h) }
