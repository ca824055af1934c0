package verify

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// LimitsByName are limits by the names that a manifest has for them, such as
// "inline_bytes". Times are in nanoseconds.
func LimitsByName(limits host.Limits) map[string]int64 {
	list := map[string]int64{}
	for field, value := range reflect.ValueOf(limits).Fields() {
		list[snakeCase(field.Name)] = value.Int()
	}
	return list
}

// LimitsOfNames are the limits that [LimitsByName] has written. Those that aren't there
// are zero. A name that isn't known is a *ManifestError.
func LimitsOfNames(list map[string]int64) (limits host.Limits, err error) {
	left := maps.Clone(list)
	for field, value := range reflect.ValueOf(&limits).Elem().Fields() {
		name := snakeCase(field.Name)
		if value.OverflowInt(left[name]) {
			return limits, &ManifestError{"limits." + name, fmt.Errorf("%d is too large for this machine", left[name])}
		}
		value.SetInt(left[name])
		delete(left, name)
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		return limits, &ManifestError{"limits." + name, errUnknown}
	}
	return limits, nil
}

func snakeCase(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
