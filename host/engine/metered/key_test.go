package metered

import (
	"reflect"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// Also those that nobody has thought of yet: they are added here, too, if they are of
// another type.
func TestEachOptionIsInTheKey(t *testing.T) {
	keys := map[[32]byte]string{entryKey([32]byte{}, metering.Options{}): "none"}
	add := func(what string, key [32]byte) {
		if other, ok := keys[key]; ok {
			t.Errorf("%s has the key of %s", what, other)
		}
		keys[key] = what
	}
	add("another module", entryKey([32]byte{1}, metering.Options{}))
	for field := range reflect.TypeFor[metering.Options]().Fields() {
		var options metering.Options
		value := reflect.ValueOf(&options).Elem().FieldByIndex(field.Index)
		switch field.Type.Kind() {
		case reflect.Bool:
			value.SetBool(true)
		case reflect.Int:
			value.SetInt(7)
		case reflect.Uint32:
			value.SetUint(7)
		default:
			t.Fatalf("%s is of type %s", field.Name, field.Type)
		}
		add(field.Name, entryKey([32]byte{}, options))
	}
}
