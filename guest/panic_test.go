package guest

import (
	"errors"
	"testing"
)

func TestPanicValueIsToldAsText(t *testing.T) {
	tests := map[string]struct {
		value any
		want  string
	}{
		"string":   {"a", "a"},
		"error":    {errors.New("b"), "b"},
		"stringer": {Exec, "exec"},
		"bool":     {true, "true"},
		"int":      {-1, "-1"},
		"int8":     {int8(-2), "-2"},
		"int16":    {int16(-3), "-3"},
		"int32":    {int32(-4), "-4"},
		"int64":    {int64(-5), "-5"},
		"uint":     {uint(1), "1"},
		"uint8":    {uint8(2), "2"},
		"uint16":   {uint16(3), "3"},
		"uint32":   {uint32(4), "4"},
		"uint64":   {uint64(1 << 63), "9223372036854775808"},
		"uintptr":  {uintptr(6), "6"},
		"struct":   {struct{}{}, "a panic with a value of another type"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := panicText(tt.value); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
