package shell

import (
	"reflect"
	"testing"

	"mvdan.cc/sh/v3/interp"
)

// isFunction looks at fields of the interpreter that nobody has promised.
func TestTheInterpreterHasTheFieldsThatAreLookedAt(t *testing.T) {
	field, found := reflect.TypeFor[interp.HandlerContext]().FieldByName("runner")
	if !found || field.Type != reflect.TypeFor[*interp.Runner]() {
		t.Fatal("interp.HandlerContext has no field runner any more: isFunction finds nothing")
	}
	functions, found := reflect.TypeFor[interp.Runner]().FieldByName("Funcs")
	if !found || functions.Type.Kind() != reflect.Map || functions.Type.Key().Kind() != reflect.String {
		t.Fatal("interp.Runner has no field Funcs any more: isFunction finds nothing")
	}
}
