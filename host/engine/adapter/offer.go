package adapter

import (
	"fmt"
	"slices"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// An Offer is the types of the functions that an engine offers to guests.
type Offer map[ImportName]engine.FuncType

// An ImportName is what guests know a function by.
type ImportName struct{ Module, Name string }

// Add takes up a function, if an engine of the name can pass values of the types
// given.
func (o Offer) Add(f engine.HostFunc, engineName string, passable []engine.ValueType) error {
	if f.Module == "" || f.Call == nil {
		return fmt.Errorf("engine: the import %q.%q has no module name or no function", f.Module, f.Name)
	}
	if t, ok := Unpassable(f.Type, passable); ok {
		return fmt.Errorf("engine: the import %s.%s has a value of type %s (%#x), which %s can't pass",
			f.Module, f.Name, t, byte(t), engineName)
	}
	name := ImportName{f.Module, f.Name}
	if _, twice := o[name]; twice {
		return fmt.Errorf("engine: the import %s.%s is offered twice", f.Module, f.Name)
	}
	o[name] = f.Type
	return nil
}

// Unpassable finds a value of a function whose type isn't among the passable ones.
func Unpassable(f engine.FuncType, passable []engine.ValueType) (engine.ValueType, bool) {
	for _, t := range slices.Concat(f.Params, f.Results) {
		if !slices.Contains(passable, t) {
			return t, true
		}
	}
	return 0, false
}

// Link finds the first import that isn't on offer. It is nil if all are.
func (o Offer) Link(imports []engine.Import) *engine.LinkError {
	for _, i := range imports {
		have, ok := o[ImportName{i.Module, i.Name}]
		switch {
		case i.Kind != engine.ExternFunc || !ok:
			return &engine.LinkError{Import: i}
		case !have.Equal(i.Type):
			return &engine.LinkError{Import: i, Have: &have}
		}
	}
	return nil
}
