package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/guest/js"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

const inspectLong = `Tell what a WebAssembly module is: who made it, which matchers and responders it
offers, whether its state can be copied, as a checkpoint does, what it imports and
exports. A JavaScript guest offers some, too. A module that can't be a guest is shown as
far as it can be read, with what is wrong and what to do; the exit code is 2 then.`

// maxModule is the most bytes that are read as a module.
const maxModule = 1 << 30

func (a *app) newInspect() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "inspect MODULE",
		Short: "Tell what a WebAssembly module or JavaScript guest is, offers and wants",
		Long:  inspectLong,
		Example: `  wasmsandbox inspect greeter.wasm
  wasmsandbox inspect greeter.wasm --format json`,
		Args:              exactlyOne("MODULE"),
		ValidArgsFunction: completeFiles("wasm", "js", "mjs"),
	}
	format := addChoice(cmd, false, "format", "output format", "text", "json")
	timeout := addTimeoutOf(cmd, "inspection", inspectionTime)
	engine := addEngine(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := timeout.parse(); err != nil {
			return &usageHint{err: err, command: cmd.CommandPath()}
		}
		ctx, cancel := timeout.start(cmd.Context())
		defer cancel()
		return a.inspect(ctx, args[0], engine.chosen(), format.value == "json")
	}
	return cmd
}

func (a *app) inspect(ctx context.Context, path string, engine *engineEntry, asJSON bool) error {
	wasm, err := awaitModule(ctx, path)
	if err != nil {
		return fail(exitUsage, "%w", err)
	}
	report, err := inspectModule(ctx, path, wasm, engine)
	if err != nil {
		return fail(exitUsage, "%w", err)
	}
	if asJSON {
		if err := printJSON(a.stdout, report); err != nil {
			return err
		}
	} else {
		a.printInspection(report)
	}
	if report.Error == nil {
		return nil
	}
	return exitWith(exitUsage)
}

// An inspection is what inspect tells about a module.
type inspection struct {
	File     string       `json:"file"`
	Size     int          `json:"size"`
	SHA256   string       `json:"sha256"`
	ABI      *string      `json:"abi"`
	Program  bool         `json:"program"`
	Error    *problem     `json:"error"`
	Guest    *guestInfo   `json:"guest"`
	Volatile []string     `json:"volatile"` // why its state can't be copied; null: it isn't a guest
	Memory   *memoryInfo  `json:"memory"`
	Imports  []externInfo `json:"imports"`
	Exports  []externInfo `json:"exports"`
}

// A problem is why a module can't be a guest, nor a program.
type problem struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

type guestInfo struct {
	Name         string        `json:"name"`
	Version      string        `json:"version"`
	SDK          string        `json:"sdk"`
	SDKVersion   string        `json:"sdk_version"`
	Language     string        `json:"language"`
	Toolchain    string        `json:"toolchain"`
	Handlers     []handlerInfo `json:"handlers"`
	ConfigSchema string        `json:"config_schema,omitempty"`
}

type handlerInfo struct {
	Kind    string   `json:"kind"`
	Name    string   `json:"name"`
	Methods []string `json:"methods"`
}

type externInfo struct {
	Module string `json:"module,omitempty"` // of an import
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Type   string `json:"type,omitempty"` // of a function
}

// inspectModule loads a module as a session would. The error is one of the
// command, not of the module.
func inspectModule(ctx context.Context, path string, wasm []byte, engine *engineEntry) (*inspection, error) {
	sum := sha256.Sum256(wasm)
	report := &inspection{
		File: path, Size: len(wasm), SHA256: hex.EncodeToString(sum[:]),
		Imports: []externInfo{}, Exports: []externInfo{},
	}
	var seen observer
	runtime, err := seen.newRuntime(ctx, engine)
	if err != nil {
		return nil, err
	}
	defer func() { _ = runtime.Close(context.WithoutCancel(ctx)) }()
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	var module *host.Module
	if js.IsProgram(path) {
		module, err = js.Load(ctx, runtime, name, path, wasm)
	} else {
		module, err = runtime.Load(ctx, name, wasm)
	}
	wrong, isModule := errors.AsType[*host.ModuleError](err)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err == nil:
		report.Guest = describeGuest(module.Description())
		report.Volatile = append([]string{}, module.Volatile()...)
	case errors.Is(err, host.ModuleNotReactor) && isProgram(ctx, runtime, name, wasm):
		report.Program = true
	case isModule:
		report.Error = &problem{Kind: string(wrong.Kind), Message: wrong.Problem()}
	default:
		return nil, err
	}
	if seen.module != nil && !js.IsProgram(path) { // else it is the interpreter's
		report.externs(seen.module)
		report.Memory = memoryOf(wasm)
	}
	return report, nil
}

// isProgram tells whether a module that isn't a guest can answer as a program or a
// command.
func isProgram(ctx context.Context, runtime *host.Runtime, name string, wasm []byte) bool {
	_, err := runtime.LoadProgram(ctx, name, wasm)
	return err == nil
}

func (r *inspection) externs(m engine.Module) {
	for _, i := range m.Imports() {
		r.Imports = append(r.Imports, externInfo{i.Module, i.Name, i.Kind.String(), typeText(i.Kind, i.Type)})
	}
	for _, e := range m.Exports() {
		r.Exports = append(r.Exports, externInfo{"", e.Name, e.Kind.String(), typeText(e.Kind, e.Type)})
		if major, ok := strings.CutPrefix(e.Name, abi.ExportPrefix); ok {
			r.ABI = &major
		}
	}
}

func typeText(kind engine.ExternKind, t engine.FuncType) string {
	if kind != engine.ExternFunc {
		return ""
	}
	return t.String()
}

func describeGuest(d host.Description) *guestInfo {
	info := &guestInfo{
		Name: d.Name, Version: d.Version, SDK: d.SDK, SDKVersion: d.SDKVersion,
		Language: d.Language, Toolchain: d.Toolchain, ConfigSchema: d.ConfigSchema,
		Handlers: []handlerInfo{},
	}
	for _, h := range d.Handlers {
		methods := h.Methods
		if len(methods) == 0 {
			methods = abi.Methods()
		}
		names := make([]string, len(methods))
		for i, m := range methods {
			names[i] = m.String()
		}
		info.Handlers = append(info.Handlers, handlerInfo{h.Kind.String(), h.Name, names})
	}
	return info
}
