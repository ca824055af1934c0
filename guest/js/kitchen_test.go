package js

import (
	"os"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/conformance"
)

// TestTheKitchenConforms tests the kitchen-sink guest as a program, and as a module
// that has it inside.
func TestTheKitchenConforms(t *testing.T) {
	source, err := os.ReadFile("kitchen/kitchen.js")
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := Bundle("kitchen.js", source)
	if err != nil {
		t.Fatal(err)
	}
	r, err := runtimeOfTests()
	if err != nil {
		t.Fatal(err)
	}
	for name, load := range map[string]func() (*host.Module, error){
		"program": func() (*host.Module, error) { return Load(t.Context(), r, "kitchen", "kitchen.js", source) },
		"bundle":  func() (*host.Module, error) { return r.Load(t.Context(), "kitchen", bundle) },
	} {
		t.Run(name, func(t *testing.T) {
			m, err := load()
			if err != nil {
				t.Fatal(err)
			}
			report, err := conformance.Run(t.Context(), m, conformance.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range report.Rows {
				if row.Status != conformance.Passed {
					t.Errorf("%s: %s %v", row.Feature, row.Status, row.Problems)
				}
			}
		})
	}
}
