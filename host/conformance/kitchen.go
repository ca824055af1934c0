package conformance

import (
	"slices"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// What the kitchen-sink guest is called, and has.
const (
	kitchenName    = "kitchen-sink"
	kitchenVersion = "1.0.0"
	kitchenSchema  = `{"type":"object"}`
)

var storeMethods = []abi.Method{abi.Ls, abi.Mkdir, abi.Read, abi.Rm, abi.Write}

// kitchenHandlers are the handlers of the kitchen-sink guest. No methods are all
// of them.
var kitchenHandlers = []abi.Handler{
	{Kind: abi.HandlerRespond, Name: "render"},
	{Kind: abi.HandlerRespond, Name: "results"},
	{Kind: abi.HandlerRespond, Name: "empty"},
	{Kind: abi.HandlerRespond, Name: "raise", Methods: []abi.Method{abi.Exec}},
	{Kind: abi.HandlerRespond, Name: "store", Methods: storeMethods},
	{Kind: abi.HandlerRespond, Name: "count", Methods: []abi.Method{abi.Exec}},
	{Kind: abi.HandlerRespond, Name: "checksum", Methods: []abi.Method{abi.Write}},
	{Kind: abi.HandlerRespond, Name: "generate", Methods: []abi.Method{abi.Read}},
	{Kind: abi.HandlerRespond, Name: "big", Methods: []abi.Method{abi.Exec}},
	{Kind: abi.HandlerRespond, Name: "log", Methods: []abi.Method{abi.Exec}},
	{Kind: abi.HandlerRespond, Name: "config", Methods: []abi.Method{abi.Exec}},
	{Kind: abi.HandlerRespond, Name: "setting", Methods: []abi.Method{abi.Exec}},
	{Kind: abi.HandlerRespond, Name: "session", Methods: []abi.Method{abi.Exec}},
	{Kind: abi.HandlerRespond, Name: "shell", Methods: []abi.Method{abi.PTYExecStart, abi.PTYWriteStdin}},
	{Kind: abi.HandlerRespond, Name: "extension", Methods: []abi.Method{abi.Exec}},
	{Kind: abi.HandlerRespond, Name: "blob_len", Methods: []abi.Method{abi.Write}},
	{Kind: abi.HandlerRespond, Name: "broken", Methods: []abi.Method{abi.Exec}},
	{Kind: abi.HandlerRespond, Name: "panic", Methods: []abi.Method{abi.Exec}},
	{Kind: abi.HandlerMatch, Name: "accept"},
	{Kind: abi.HandlerMatch, Name: "undecided"},
	{Kind: abi.HandlerMatch, Name: "only_git", Methods: []abi.Method{abi.Exec}},
	{Kind: abi.HandlerMatch, Name: "differ"},
	{Kind: abi.HandlerMatch, Name: "digest", Methods: []abi.Method{abi.Write}},
	{Kind: abi.HandlerMatch, Name: "broken", Methods: []abi.Method{abi.Exec}},
	{Kind: abi.HandlerMatch, Name: "panic", Methods: []abi.Method{abi.Exec}},
}

func checkKitchen(t *tester) {
	d := t.module.Description()
	t.check(d.Name == kitchenName, "the name is %q", d.Name)
	t.check(d.Version == kitchenVersion, "the version is %q", d.Version)
	t.check(d.ConfigSchema == kitchenSchema, "the config schema is %q", d.ConfigSchema)
	for _, want := range kitchenHandlers {
		have, ok := handler(&d, want.Kind, want.Name)
		if !t.check(ok, "it has no %s %s", want.Kind, want.Name) {
			continue
		}
		methods := slices.Sorted(slices.Values(have.Methods))
		all := len(want.Methods) == 0 && (len(methods) == 0 || len(methods) == len(abi.Methods()))
		t.check(all || slices.Equal(methods, want.Methods), "the %s %s serves %v", want.Kind, want.Name, methods)
	}
	t.check(len(d.Handlers) == len(kitchenHandlers), "it has %d handlers, not %d", len(d.Handlers), len(kitchenHandlers))
}
