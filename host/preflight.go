package host

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// What to do about a guest that is linked as a program, and about a program that may be
// meant as one.
const (
	reactorHint = "build it as a reactor; for Go: GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared"
	programHint = "load it as a program or a command (in scripts: the keys program and command), or " + reactorHint
)

// compileError says why there is no code: what the file is, if it isn't a module
// at all, which limit it is over, else the engine's words.
func compileError(err error, wasm []byte, most engine.Bounds) error {
	compile := (*engine.CompileError)(nil)
	if !errors.As(err, &compile) {
		return err
	}
	if detail := otherFormat(wasm); detail != "" {
		return &ModuleError{Kind: ModuleInvalid, Detail: detail}
	}
	if size, ok := errors.AsType[*engine.SizeError](err); ok {
		return overLimit(size, most)
	}
	return &ModuleError{Kind: ModuleInvalid, Err: compile.Err}
}

// overLimit is the error of a module that wants more from the start than the limits of
// its session, or the engine, allow. It says so in the units of the limit.
func overLimit(e *engine.SizeError, most engine.Bounds) *ModuleError {
	wanted, limit, highest := fmt.Sprintf("a table of %d entries", e.Wanted), fmt.Sprintf("limits.table allows %d", e.Most), most.TableEntries
	if e.Part == engine.ExternMemory {
		wanted, limit, highest = fmt.Sprintf("%d bytes of memory", e.Wanted*engine.PageSize), fmt.Sprintf("limits.memory allows %d", e.Most*engine.PageSize), most.MemoryPages
	}
	if e.Most == highest {
		limit += ", and can't be more"
	}
	return &ModuleError{Kind: ModuleOverLimit, Detail: wanted + " from the start, and " + limit}
}

// preflight checks a guest's exports and imports before any of it runs.
func preflight(m engine.Module) error {
	exports := exportsOf(m)
	if err := checkVersionName(exports); err != nil {
		return withProgramError(err, exports, m)
	}
	if err := checkExports(exports); err != nil {
		return err
	}
	return checkImports(m.Imports())
}

func exportsOf(m engine.Module) map[string]engine.Export {
	exports := map[string]engine.Export{}
	for _, export := range m.Exports() {
		exports[export.Name] = export
	}
	return exports
}

// checkVersionName looks for the export whose name is the ABI's major version.
func checkVersionName(exports map[string]engine.Export) error {
	_, program := exports[exportStart]
	if _, ok := exports[abi.ExportVersion]; ok {
		if _, reactor := exports[abi.ExportInitialize]; program && !reactor {
			return &ModuleError{Kind: ModuleNotReactor, Detail: "it exports " + exportStart + ", and no " + abi.ExportInitialize + "; " + reactorHint}
		}
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(exports)) {
		if major, ok := strings.CutPrefix(name, abi.ExportPrefix); ok {
			return &ModuleError{Kind: ModuleWrongVersion, Detail: fmt.Sprintf(
				"it speaks version %s, this host version %d", major, abi.VersionMajor)}
		}
	}
	if program {
		return &ModuleError{Kind: ModuleNotReactor, Detail: "it exports " + exportStart + ", and no " + abi.ExportVersion + "; " + programHint}
	}
	detail := abi.ExportVersion + "; is it written with a wasmsandbox guest SDK?"
	if len(exports) == 0 {
		detail = abi.ExportVersion + "; it exports nothing at all: is the linker told to keep what the SDK exports?"
	}
	return &ModuleError{Kind: ModuleMissingExport, Detail: detail}
}

func checkExports(exports map[string]engine.Export) error {
	if e, ok := exports[abi.ExportMemory]; !ok || e.Kind != engine.ExternMemory {
		return &ModuleError{Kind: ModuleMissingExport, Detail: abi.ExportMemory}
	}
	for _, want := range abi.Exports() {
		have, ok := exports[want.Name]
		switch {
		case !ok && want.Required:
			return &ModuleError{Kind: ModuleMissingExport, Detail: want.Name + " " + want.Signature}
		case !ok:
		case have.Kind != engine.ExternFunc:
			return &ModuleError{Kind: ModuleWrongSignature, Detail: fmt.Sprintf(
				"export %s is a %s, not a function", want.Name, have.Kind)}
		case have.Type.String() != want.Signature:
			return &ModuleError{Kind: ModuleWrongSignature, Detail: fmt.Sprintf(
				"export %s is %s, not %s", want.Name, have.Type, want.Signature)}
		}
	}
	return nil
}

func checkImports(imports []engine.Import) error {
	offered := map[[2]string]engine.FuncType{}
	for _, f := range guestImports() {
		offered[[2]string{f.Module, f.Name}] = f.Type
	}
	for _, want := range imports {
		name := want.Module + "." + want.Name
		have, ok := offered[[2]string{want.Module, want.Name}]
		switch {
		case !ok || want.Kind != engine.ExternFunc:
			return &ModuleError{Kind: ModuleUnknownImport, Detail: fmt.Sprintf("%s (%s)", name, want.Kind) + importHint(want.Module)}
		case !have.Equal(want.Type):
			return &ModuleError{Kind: ModuleWrongSignature, Detail: fmt.Sprintf(
				"import %s is %s, not %s", name, want.Type, have)}
		}
	}
	return nil
}
