package host

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/similar"
)

// A Module is a guest that sessions can use: compiled code under a name, with a
// configuration. It is immutable, safe for concurrent use, and may serve any
// number of sessions: each gets an instance of its own, on first use. Load makes
// one; the zero Module can't be used.
type Module struct {
	name     string
	config   []abi.Entry
	stdin    stdinData
	limits   Limits // of its own
	self     *Description
	compiled *compilation
}

// A Description tells who a guest is and what it can do.
type Description = abi.Description

// Load compiles a module with the default runtime. The name is what errors and
// logs call it.
func Load(ctx context.Context, name string, wasm []byte, opts ...ModuleOption) (*Module, error) {
	r, err := DefaultRuntime()
	if err != nil {
		return nil, err
	}
	return r.Load(ctx, name, wasm, opts...)
}

// LoadFile loads a file with the default runtime, under the file's name without
// ".wasm". The file has to be a regular one of at most 1 GiB.
func LoadFile(ctx context.Context, path string, opts ...ModuleOption) (*Module, error) {
	wasm, err := readModule(path)
	if err != nil {
		return nil, err
	}
	return Load(ctx, strings.TrimSuffix(filepath.Base(path), ".wasm"), wasm, opts...)
}

// maxModuleFile is the length of the longest file that is read as a module, in bytes.
const maxModuleFile = 1 << 30

// readModule reads a regular file: a device or a pipe could take for ever.
func readModule(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("it isn't a regular file")}
	}
	if info.Size() > maxModuleFile {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("it is longer than 1 GiB")}
	}
	return os.ReadFile(path)
}

// Load compiles a module, unless the runtime has done so before, checks that it
// is a guest, and asks it what it can do. The runtime keeps a copy of
// wasm, which code within other limits is made of. What is
// wrong with the module is a *ModuleError.
func (r *Runtime) Load(ctx context.Context, name string, wasm []byte, opts ...ModuleOption) (*Module, error) {
	compiled, config, err := r.load(ctx, wasm, opts)
	if err == nil {
		err = config.without(envOption)
	}
	if err != nil {
		return nil, named(err, name)
	}
	stdin := newStdinData(config.stdin)
	self, err := compiled.describe(ctx, stdin, config.limits)
	if err != nil {
		return nil, named(err, name)
	}
	return &Module{
		name: name, config: config.entries, stdin: stdin, limits: config.limits, self: self, compiled: compiled,
	}, nil
}

// load does what loading a module as anything begins with: it reads the options,
// and compiles.
func (r *Runtime) load(ctx context.Context, wasm []byte, opts []ModuleOption) (*compilation, *moduleConfig, error) {
	config := new(moduleConfig)
	for _, opt := range opts {
		if opt != nil {
			opt(config)
		}
	}
	if err := checkPin(wasm, config.pin); err != nil {
		return nil, nil, err
	}
	var err error
	if config.entries, err = entriesOf(config.values); err != nil {
		return nil, nil, &ModuleError{Kind: ModuleBadConfig, Err: err}
	}
	if config.limits.SessionFuel != 0 || config.limits.CallTime != 0 {
		return nil, nil, &ModuleError{Kind: ModuleBadConfig, Detail: "only a session has a limit of its fuel or of time"}
	}
	compiled, err := r.compile(ctx, wasm, config.limits)
	return compiled, config, err
}

func checkPin(wasm []byte, pin *string) error {
	if pin == nil {
		return nil
	}
	if sum := sha256.Sum256(wasm); !strings.EqualFold(hex.EncodeToString(sum[:]), *pin) {
		return &ModuleError{Kind: ModuleWrongDigest, Detail: fmt.Sprintf("it is %x, not %s", sum, cmp.Or(*pin, "empty"))}
	}
	return nil
}

// named puts a module's name into an error that other modules of the same
// content share.
func named(err error, name string) error {
	shared, ok := errors.AsType[*ModuleError](err)
	if !ok {
		return fmt.Errorf("module %s: %w", name, err)
	}
	own := *shared
	own.Module = name
	return &own
}

// Name is what the module was loaded under.
func (m *Module) Name() string { return m.name }

// SHA256 is the digest of the module's bytes. What a guest does may also follow
// from its standard input: see StdinSHA256.
func (m *Module) SHA256() [sha256.Size]byte { return m.compiled.hash }

// StdinSHA256 is the digest of the standard input that the module was loaded with,
// which is that of no bytes if WithStdin wasn't given.
func (m *Module) StdinSHA256() [sha256.Size]byte { return m.stdin.hash }

// Volatile says why the state of the module's guests can't be copied, as a checkpoint
// does, such as "its code uses table.set": engines don't show what that changes. It is
// empty for what usual compilers make. The caller owns the slice.
func (m *Module) Volatile() []string {
	code, ok := m.compiled.module().(*metered.Module)
	if !ok {
		return []string{"the engine can't copy the state of an instance"}
	}
	return slices.Clone(code.Volatile())
}

// Size is the length of the module in bytes.
func (m *Module) Size() int { return m.compiled.size }

// Description is what the guest says of itself. The caller owns it.
func (m *Module) Description() Description {
	d := *m.self
	d.Handlers = slices.Clone(d.Handlers)
	for i := range d.Handlers {
		d.Handlers[i].Methods = slices.Clone(d.Handlers[i].Methods)
	}
	return d
}

// Matcher finds a matcher of the guest. The error is a *ModuleError with
// ModuleUnknownHandler.
func (m *Module) Matcher(name string) (*GuestMatcher, error) {
	h, err := m.handler(name, abi.HandlerMatch)
	if err != nil {
		return nil, err
	}
	return &GuestMatcher{h}, nil
}

// Responder finds a responder of the guest. The error is a *ModuleError with
// ModuleUnknownHandler.
func (m *Module) Responder(name string) (*GuestResponder, error) {
	h, err := m.handler(name, abi.HandlerRespond)
	if err != nil {
		return nil, err
	}
	return &GuestResponder{h}, nil
}

func (m *Module) handler(name string, kind abi.HandlerKind) (handler, error) {
	var have []string
	detail := fmt.Sprintf("%s %q", kind, name)
	for _, h := range m.self.Handlers {
		switch {
		case h.Kind == kind && h.Name == name:
			return handler{module: m, id: h.ID, name: name, methods: h.Methods}, nil
		case h.Kind == kind:
			have = append(have, h.Name)
		case h.Name == name:
			detail += fmt.Sprintf(", which is a %s", h.Kind)
		}
	}
	return handler{}, &ModuleError{Kind: ModuleUnknownHandler, Module: m.name, Detail: detail + meantHandler(name, kind, have)}
}

// meantHandler says which handler may be meant, or which there are.
func meantHandler(name string, kind abi.HandlerKind, have []string) string {
	if meant := similar.Names(name, have); len(meant) == 1 {
		return "; did you mean " + meant[0] + "?"
	}
	const most = 20
	switch {
	case len(have) == 0:
		return fmt.Sprintf("; it has no %ss", kind)
	case len(have) > most:
		return fmt.Sprintf("; it has %s and %d more", strings.Join(have[:most], ", "), len(have)-most)
	default:
		return "; it has " + strings.Join(have, ", ")
	}
}
