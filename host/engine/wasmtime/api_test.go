//go:build cgo

package wasmtime_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// library is the module that brings the engine.
const library = "github.com/bytecodealliance/wasmtime-go/v44"

// layout has to hold with the headers of the library, and with api.h alone.
const layout = `
#include <stddef.h>
_Static_assert(sizeof(wasm_byte_vec_t) == 16 && offsetof(wasm_byte_vec_t, data) == 8, "");
_Static_assert(sizeof(wasm_valtype_vec_t) == 16 && offsetof(wasm_valtype_vec_t, data) == 8, "");
_Static_assert(sizeof(wasm_frame_vec_t) == 16 && offsetof(wasm_frame_vec_t, data) == 8, "");
_Static_assert(sizeof(wasm_valkind_t) == 1 && sizeof(wasmtime_trap_code_t) == 1, "");
_Static_assert(sizeof(wasmtime_func_t) == 16 && offsetof(wasmtime_func_t, __private) == 8, "");
_Static_assert(sizeof(wasmtime_memory_t) == 24 && offsetof(wasmtime_memory_t, __private2) == 16, "");
_Static_assert(sizeof(wasmtime_global_t) == 24 && offsetof(wasmtime_global_t, __private3) == 16, "");
_Static_assert(sizeof(wasmtime_val_t) == 32 && offsetof(wasmtime_val_t, of) == 8, "");
_Static_assert(sizeof(wasmtime_instance_t) == 16 && offsetof(wasmtime_instance_t, __private) == 8, "");
_Static_assert(sizeof(wasmtime_extern_t) == 32 && offsetof(wasmtime_extern_t, of) == 8, "");
_Static_assert(sizeof(wasmtime_val_raw_t) == 16 && _Alignof(wasmtime_val_raw_t) == 8, "");
_Static_assert(WASM_I32 == 0 && WASM_I64 == 1 && WASM_F32 == 2 && WASM_F64 == 3, "");
_Static_assert(WASMTIME_EXTERN_FUNC == 0 && WASMTIME_EXTERN_GLOBAL == 1 && WASMTIME_EXTERN_MEMORY == 3, "");
_Static_assert(WASM_CONST == 0 && WASM_VAR == 1, "");
_Static_assert(WASMTIME_UPDATE_DEADLINE_CONTINUE == 0, "");
`

// trapCodes are those that the adapter knows the reasons of.
const trapCodes = `
_Static_assert(WASMTIME_TRAP_CODE_STACK_OVERFLOW == 0, "");
_Static_assert(WASMTIME_TRAP_CODE_MEMORY_OUT_OF_BOUNDS == 1, "");
_Static_assert(WASMTIME_TRAP_CODE_TABLE_OUT_OF_BOUNDS == 3, "");
_Static_assert(WASMTIME_TRAP_CODE_INDIRECT_CALL_TO_NULL == 4, "");
_Static_assert(WASMTIME_TRAP_CODE_BAD_SIGNATURE == 5, "");
_Static_assert(WASMTIME_TRAP_CODE_INTEGER_OVERFLOW == 6, "");
_Static_assert(WASMTIME_TRAP_CODE_INTEGER_DIVISION_BY_ZERO == 7, "");
_Static_assert(WASMTIME_TRAP_CODE_BAD_CONVERSION_TO_INTEGER == 8, "");
_Static_assert(WASMTIME_TRAP_CODE_UNREACHABLE_CODE_REACHED == 9, "");
`

func goOutput(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out))
}

func TestTheFunctionsAreDeclaredAsTheLibraryDeclaresThem(t *testing.T) {
	headers := filepath.Join(goOutput(t, "list", "-m", "-f", "{{.Dir}}", library), "build", "include")
	for name, source := range map[string]string{
		"both":  "#include <wasmtime.h>\n#include \"api.h\"\n" + layout + trapCodes,
		"alone": "#include \"api.h\"\n" + layout,
	} {
		file := filepath.Join(t.TempDir(), name+".c")
		if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		compiler := strings.Fields(goOutput(t, "env", "CC"))
		args := append(compiler[1:], "-std=c11", "-Werror", "-fsyntax-only", "-I.", "-I"+headers, file)
		if out, err := exec.Command(compiler[0], args...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

func TestOnlyWhoImportsTheAdapterDependsOnTheLibrary(t *testing.T) {
	for dependency := range strings.Lines(goOutput(t, "list", "-deps", "../..", "../../../cmd/wasmsandbox")) {
		if strings.Contains(dependency, "wasmtime") {
			t.Errorf("the host or the tool depends on %s", strings.TrimSpace(dependency))
		}
	}
}
