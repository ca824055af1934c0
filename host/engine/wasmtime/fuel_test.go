//go:build cgo

package wasmtime_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// fuelOf is what calls of a responder use, and how the last one ends, within limits.
func fuelOf(t *testing.T, m *host.Module, responder string, limits host.Limits) string {
	t.Helper()
	r, err := m.Responder(responder)
	if err != nil {
		t.Fatal(err)
	}
	step := host.Step{Method: host.MethodExec, Outcome: host.Respond(r)}
	s, err := host.NewScripted([]host.Step{step, step, step}, host.WithLimits(limits))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		_, err = s.Exec(t.Context(), host.ExecRequest{Command: []string{"x", "1"}})
	}
	var text strings.Builder
	for _, record := range s.History() {
		fmt.Fprintf(&text, "%d fuel", record.Fuel)
		if e, ok := errors.AsType[*host.GuestError](record.Err); ok {
			fmt.Fprintf(&text, ", %v, %+v", e.Kind, e.Breach)
		}
		text.WriteByte('\n')
	}
	_ = s.Close(context.Background())
	fmt.Fprintf(&text, "%d in all, %v", s.Fuel(), err == nil)
	return text.String()
}

// Guests use the same fuel on both engines, and run out of it at the same count.
func TestFuelIsTheSameOnBothEngines(t *testing.T) {
	onWazero, onWasmtime := runtimes(t)
	for name, wasm := range committed(t) {
		t.Run(name, func(t *testing.T) {
			for _, responder := range []string{"count", "panic"} {
				one, other := load(t, onWazero, name, wasm), load(t, onWasmtime, name, wasm)
				for _, limits := range []host.Limits{
					{}, {CallFuel: 1}, {CallFuel: 777}, {CallFuel: 3_333}, {CallFuel: 33_333}, {CallFuel: 100_001},
					{SessionFuel: 100_000}, {SessionFuel: 5_000_000}, {CallDepth: 3}, {CallDepth: 9},
				} {
					want, got := fuelOf(t, one, responder, limits), fuelOf(t, other, responder, limits)
					if want != got {
						t.Errorf("%s within %+v: wazero\n%s\nwasmtime\n%s", responder, limits, want, got)
					}
				}
			}
		})
	}
}

// So do hostile ones.
func TestHostileGuestsEndAtTheSameCountOnBothEngines(t *testing.T) {
	onWazero, onWasmtime := runtimes(t)
	for name, limits := range map[string]host.Limits{
		"loop_respond": {CallFuel: 12_345}, "loop_calls": {CallFuel: 12_345}, "loop_br_table": {CallFuel: 12_345},
		"loop_grow": {CallFuel: 12_345, MemoryBytes: 1 << 20}, "loop_table_grow": {CallFuel: 12_345, TableEntries: 100},
		"loop_fill": {CallFuel: 123_456}, "loop_copy": {CallFuel: 123_456}, "loop_log": {SessionFuel: 12_345},
		"loop_yield": {CallFuel: 12_345}, "loop_blob_new": {CallFuel: 12_345},
		"loop_random": {CallFuel: 1_234_567}, "loop_print": {CallFuel: 1_234_567}, "loop_poll": {CallFuel: 123_456},
		"loop_read": {CallFuel: 123_456}, "loop_blob_read": {CallFuel: 12_345_678}, "loop_blob_write": {SessionFuel: 12_345_678},
		"table_needed":    {TableEntries: 1234},
		"recurse_respond": {CallDepth: 500}, "recurse_indirect": {}, "recurse_large_frames": {},
		"memory_bomb": {MemoryBytes: 4 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			wasm, err := os.ReadFile(filepath.Join("../../../testdata/hostile", name+".wasm"))
			if err != nil {
				t.Fatal(err)
			}
			want := fuelOf(t, load(t, onWazero, name, wasm), "r", limits)
			got := fuelOf(t, load(t, onWasmtime, name, wasm), "r", limits)
			if want != got {
				t.Errorf("wazero\n%s\nwasmtime\n%s", want, got)
			}
			if strings.Count(want, "guest is dead") != 2 {
				t.Errorf("no limit was gone over:\n%s", want)
			}
		})
	}
}
