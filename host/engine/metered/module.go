package metered

import (
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// A module is a rewritten module that doesn't show it.
type module struct {
	engine.Module
	imports []engine.Import
	exports []engine.Export
}

func newModule(inner engine.Module) *module {
	return &module{
		Module: inner,
		imports: slices.DeleteFunc(slices.Clone(inner.Imports()), func(i engine.Import) bool {
			return i.Module == metering.ImportModule
		}),
		exports: slices.DeleteFunc(slices.Clone(inner.Exports()), func(e engine.Export) bool {
			return strings.HasPrefix(e.Name, metering.ReservedPrefix)
		}),
	}
}

func (m *module) Imports() []engine.Import { return m.imports }

func (m *module) Exports() []engine.Export { return m.exports }
