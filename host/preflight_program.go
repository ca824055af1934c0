package host

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// exportStart is the export that a program is run by.
const exportStart = "_start"

// preflightProgram checks that a module is a program of WASI preview 1, before
// any of it runs.
func preflightProgram(m engine.Module) error {
	exports := exportsOf(m)
	start, ok := exports[exportStart]
	switch {
	case !ok:
		return notProgram(exports, m.Imports())
	case start.Kind != engine.ExternFunc:
		return &ModuleError{Kind: ModuleWrongSignature, Detail: fmt.Sprintf("export %s is a %s, not a function", exportStart, start.Kind)}
	case !start.Type.Equal(engine.Func(nil)):
		return &ModuleError{Kind: ModuleWrongSignature, Detail: fmt.Sprintf("export %s is %s, not ()", exportStart, start.Type)}
	}
	if e, ok := exports[abi.ExportMemory]; !ok || e.Kind != engine.ExternMemory {
		return &ModuleError{Kind: ModuleMissingExport, Detail: abi.ExportMemory}
	}
	for _, i := range m.Imports() {
		if i.Module != wasi.Module {
			return foreignImport(i)
		}
	}
	return checkImports(m.Imports())
}

// withProgramError completes what is said of a module that isn't a guest: one that is
// built for another host is told so, and the advice to load a module as a program is
// replaced where that can't be either. A guest that was linked as a program is no such.
func withProgramError(err error, exports map[string]engine.Export, m engine.Module) error {
	notGuest, ok := errors.AsType[*ModuleError](err)
	if !ok {
		return err
	}
	if hint := otherHost(m.Imports()); hint != "" && notGuest.Kind == ModuleMissingExport {
		return &ModuleError{Kind: ModuleMissingExport, Detail: abi.ExportVersion + hint}
	}
	if _, guest := exports[abi.ExportVersion]; guest || notGuest.Kind != ModuleNotReactor {
		return err
	}
	other, ok := errors.AsType[*ModuleError](preflightProgram(m))
	if !ok {
		return err
	}
	advised, _, _ := strings.Cut(notGuest.Detail, "; ")
	return &ModuleError{Kind: ModuleNotReactor, Detail: fmt.Sprintf("%s; nor can it be loaded as a program: it %s: %s",
		advised, other.Kind.String(), other.Detail)}
}

// notProgram says what a module without _start is, and what to do.
func notProgram(exports map[string]engine.Export, imports []engine.Import) error {
	detail := "it exports no " + exportStart
	if hint := otherHost(imports); hint != "" {
		return &ModuleError{Kind: ModuleNotProgram, Detail: detail + hint}
	}
	for _, name := range slices.Sorted(maps.Keys(exports)) {
		if strings.HasPrefix(name, abi.ExportPrefix) {
			return &ModuleError{Kind: ModuleNotProgram, Detail: detail + ", but " + name +
				": it is a guest; load it as one (in scripts: the key wasm)"}
		}
	}
	if _, reactor := exports[abi.ExportInitialize]; reactor {
		detail += ", but " + abi.ExportInitialize + ": it is a reactor; link it as a program, for C without" +
			" -mexec-model=reactor, for Go without -buildmode=c-shared"
	} else {
		detail += ": it is a library; give it a main function, and link it without --no-entry"
	}
	return &ModuleError{Kind: ModuleNotProgram, Detail: detail}
}

func foreignImport(i engine.Import) error {
	detail := fmt.Sprintf("%s.%s (%s); a program may import only from %s", i.Module, i.Name, i.Kind, wasi.Module)
	if i.Module == abi.ImportModule {
		detail += ", and this is for guests: a command prints its outcome"
	}
	return &ModuleError{Kind: ModuleUnknownImport, Detail: detail + importHint(i.Module)}
}

// importHint is what an import that nobody offers tells of how a module was built.
func importHint(module string) string {
	if module == "env" {
		return "; a symbol was left undefined, or the compiler's target is another than it should be"
	}
	return hostHint(module)
}

// hostHint tells of a module of imports that it is of another host, such as a browser.
func hostHint(module string) string {
	switch {
	case module == "wasi_unstable":
		return "; it is built for an older WASI: build it with a later compiler"
	case module == "gojs" || module == "go":
		return "; it is built for JavaScript: build it with GOOS=wasip1"
	case strings.HasPrefix(module, "__wbindgen"), strings.HasPrefix(module, "wbg"):
		return "; it is built for JavaScript with wasm-bindgen: build it without"
	case strings.HasPrefix(module, "wasi:"):
		return "; it is built for WASI preview 2: build it for preview 1"
	default:
		return ""
	}
}

// otherHost is the hint of the first import that has one: a module for another host names
// its exports as that wants them, so that looking at them tells nothing.
func otherHost(imports []engine.Import) string {
	for _, i := range imports {
		if hint := hostHint(i.Module); hint != "" {
			return hint
		}
	}
	return ""
}
