package host_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// A refusedCase is a module that no session gets to see.
type refusedCase struct {
	guest string
	kind  host.ModuleErrorKind // "": the context ended it
	cause host.GuestErrorKind  // of the failure behind it, if it ran
	text  string               // part of the error
	needs string               // the limit that ends it

	limits host.Limits
}

var refusedGuests = []refusedCase{
	// What isn't a module that the engine takes.
	{guest: "memory_huge", kind: host.ModuleOverLimit, text: "4294967296 bytes of memory from the start, and limits.memory allows 536870912, and can't be more"},
	{guest: "memory_over_limit", kind: host.ModuleOverLimit, text: "536936448 bytes of memory"},
	{guest: "memory_shared", kind: host.ModuleInvalid, text: "thread"},
	{guest: "memory_two", kind: host.ModuleInvalid, text: "memor"},
	{guest: "memory_64", kind: host.ModuleInvalid, text: "64"},
	{guest: "table_huge", kind: host.ModuleOverLimit, text: "a table of 4294967295 entries from the start, and limits.table allows 1048576, and can't be more"},
	{guest: "exceptions", kind: host.ModuleInvalid},
	{guest: "import_metering", kind: host.ModuleInvalid, text: "reserved"},
	{guest: "export_fuel", kind: host.ModuleInvalid, text: "reserved"},

	// What the host doesn't offer.
	{guest: "import_unknown_module", kind: host.ModuleUnknownImport, text: "env.system"},
	{guest: "import_unknown_function", kind: host.ModuleUnknownImport, text: "read_file"},
	{guest: "import_later_version", kind: host.ModuleUnknownImport, text: "wasmsandbox_v2"},
	{guest: "import_wasi_unknown", kind: host.ModuleUnknownImport, text: "path_exec"},
	{guest: "import_wasi_later", kind: host.ModuleUnknownImport, text: "preview2"},
	{guest: "import_memory", kind: host.ModuleUnknownImport, text: "memory"},
	{guest: "import_table", kind: host.ModuleUnknownImport, text: "table"},
	{guest: "import_global", kind: host.ModuleUnknownImport, text: "global"},
	{guest: "import_not_text", kind: host.ModuleUnknownImport},
	{guest: "import_wrong_type", kind: host.ModuleWrongSignature, text: "log"},
	{guest: "import_float", kind: host.ModuleWrongSignature, text: "f64"},
	{guest: "import_wasi_wrong_type", kind: host.ModuleWrongSignature, text: "fd_write"},

	// What isn't what a guest exports.
	{guest: "export_no_version", kind: host.ModuleMissingExport, text: "wasmsandbox_abi_v1"},
	{guest: "export_no_buffer", kind: host.ModuleMissingExport, text: "wasmsandbox_buffer"},
	{guest: "export_no_describe", kind: host.ModuleMissingExport, text: "wasmsandbox_describe"},
	{guest: "export_no_open", kind: host.ModuleMissingExport, text: "wasmsandbox_open"},
	{guest: "export_no_match", kind: host.ModuleMissingExport, text: "wasmsandbox_match"},
	{guest: "export_no_respond", kind: host.ModuleMissingExport, text: "wasmsandbox_respond"},
	{guest: "export_no_memory", kind: host.ModuleMissingExport, text: "memory"},
	{guest: "export_memory_function", kind: host.ModuleMissingExport, text: "memory"},
	{guest: "memory_none", kind: host.ModuleMissingExport, text: "memory"},
	{guest: "export_version_only_2", kind: host.ModuleWrongVersion, text: "version 2"},
	{guest: "export_version_strange", kind: host.ModuleWrongVersion},
	{guest: "version_minor", kind: host.ModuleWrongVersion, text: "1.1"},
	{guest: "version_negative", kind: host.ModuleWrongVersion, text: "1.4294967295"},
	{guest: "export_version_float", kind: host.ModuleWrongSignature, text: "f32"},
	{guest: "export_version_global", kind: host.ModuleWrongSignature, text: "global"},
	{guest: "export_respond_float", kind: host.ModuleWrongSignature, text: "f32"},
	{guest: "export_match_two_results", kind: host.ModuleWrongSignature, text: "wasmsandbox_match"},
	{guest: "export_describe_reference", kind: host.ModuleWrongSignature, text: "externref"},
	{guest: "export_initialize_parameter", kind: host.ModuleWrongSignature, text: "_initialize"},
	{guest: "export_close_table", kind: host.ModuleWrongSignature, text: "table"},
	{guest: "export_start", kind: host.ModuleNotReactor, text: "_start"},
	{guest: "export_start_only", kind: host.ModuleNotReactor, text: "_start"},

	// What it does before it can describe itself.
	{guest: "data_outside", kind: host.ModuleBadDescription, cause: host.GuestTrap, text: "data"},
	{guest: "data_overflows", kind: host.ModuleBadDescription, cause: host.GuestTrap, text: "data"},
	{guest: "trap_start", kind: host.ModuleBadDescription, cause: host.GuestTrap, text: "unreachable"},
	{guest: "trap_initialize", kind: host.ModuleBadDescription, cause: host.GuestTrap, text: "unreachable"},
	{guest: "trap_version", kind: host.ModuleBadDescription, cause: host.GuestTrap, text: "unreachable"},
	{guest: "trap_describe", kind: host.ModuleBadDescription, cause: host.GuestTrap, text: "unreachable"},
	{guest: "exit_start", kind: host.ModuleBadDescription, cause: host.GuestExit, text: "code 0"},
	{guest: "exit_initialize", kind: host.ModuleBadDescription, cause: host.GuestExit, text: "code 0"},
	{guest: "exit_version", kind: host.ModuleBadDescription, cause: host.GuestExit, text: "code 0"},
	{guest: "exit_describe", kind: host.ModuleBadDescription, cause: host.GuestExit, text: "code 0"},
	{guest: "fail_start", kind: host.ModuleBadDescription, cause: host.GuestPanic, text: "kaboom"},
	{guest: "fail_initialize", kind: host.ModuleBadDescription, cause: host.GuestPanic, text: "kaboom"},
	{guest: "fail_version", kind: host.ModuleBadDescription, cause: host.GuestPanic, text: "kaboom"},
	{guest: "fail_describe", kind: host.ModuleBadDescription, cause: host.GuestPanic, text: "kaboom"},
	{guest: "recurse_start", kind: host.ModuleBadDescription, cause: host.GuestTooDeep, text: "stack"},
	{guest: "recurse_initialize", kind: host.ModuleBadDescription, cause: host.GuestTooDeep, text: "stack"},
	{guest: "recurse_describe", kind: host.ModuleBadDescription, cause: host.GuestTooDeep, text: "stack"},
	{guest: "loop_start", cause: host.GuestInterrupted, needs: "fuel"},
	{guest: "loop_initialize", cause: host.GuestInterrupted, needs: "fuel"},
	{guest: "loop_version", cause: host.GuestInterrupted, needs: "fuel"},
	{guest: "loop_describe", cause: host.GuestInterrupted, needs: "fuel"},

	// What it says of itself.
	{guest: "describe_outcome", kind: host.ModuleBadDescription, text: "isn't a description"},
	{guest: "describe_error", kind: host.ModuleBadDescription, cause: host.GuestFailed, text: "rather not"},
	{guest: "describe_undecodable", kind: host.ModuleBadDescription, cause: host.GuestBadReply},
	{guest: "describe_not_text", kind: host.ModuleBadDescription, cause: host.GuestBadReply, text: "UTF-8"},
	{guest: "describe_same_id", kind: host.ModuleBadDescription, text: "two handlers"},
	{guest: "describe_same_name", kind: host.ModuleBadDescription, text: "two handlers"},
	{guest: "describe_nameless", kind: host.ModuleBadDescription, text: "without a name"},
	{guest: "describe_kindless", kind: host.ModuleBadDescription, text: "neither"},
	{guest: "describe_unknown_method", kind: host.ModuleBadDescription, cause: host.GuestBadReply},
	{guest: "describe_id_range", kind: host.ModuleBadDescription, cause: host.GuestBadReply},
	{guest: "describe_outside", kind: host.ModuleBadDescription, cause: host.GuestBadPointer},
	{guest: "describe_over_limit", kind: host.ModuleBadDescription, cause: host.GuestLimit},
}

func TestHostileModulesAreRefused(t *testing.T) {
	w := newHostileWorld(t)
	for _, c := range refusedGuests {
		t.Run(c.guest, func(t *testing.T) {
			for range 2 { // what is wrong is remembered, the end of a context isn't
				c.load(t, w, hostileWasm(t, c.guest))
				w.checkOpen(t, 0)
			}
			if c.needs != "" {
				c.kind, c.limits = host.ModuleBadDescription, neededLimits(c.needs)
				c.cause, c.text = limitKind(c.needs)
				c.load(t, w, hostileWasm(t, c.guest))
				w.checkOpen(t, 0)
			}
			w.checkHonest(t)
		})
	}
}

// load loads the module, and checks the error.
func (c *refusedCase) load(t *testing.T, w *hostileWorld, wasm []byte) {
	t.Helper()
	ctx := t.Context()
	if c.kind == "" {
		ctx = newCountdown(ctx)
	}
	var module *host.Module
	var err error
	limits := host.WithModuleLimits(c.limits)
	inTime(t, func() { module, err = w.Load(ctx, c.guest, wasm, limits) })
	if err == nil || module != nil {
		t.Fatalf("it is loaded: %v", err)
	}
	if c.kind == "" {
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, want the context's", err)
		}
	} else if e := wantModuleError(t, err, c.kind); e.Module != c.guest {
		t.Errorf("it is of the module %q", e.Module)
	}
	if c.cause != "" && !errors.Is(err, c.cause) {
		t.Errorf("error %v, want the cause %q", err, c.cause)
	}
	if !strings.Contains(err.Error(), c.text) {
		t.Errorf("error %v, want it to have %q", err, c.text)
	}
}
