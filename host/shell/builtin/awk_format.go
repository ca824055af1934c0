package builtin

import (
	"math"
	"reflect"
	"strings"
)

const errAwkWidth = complaint("the width is too large")

// formatted writes the arguments of printf and sprintf. What would be wider than can
// be printed is refused when it is to be.
func (w *awkWriter) formatted(args reflect.Value) {
	if args.Len() > maxAwkArguments {
		w.err = complaint("too many arguments")
		return
	}
	var stars []int
	narrow := false
	if args.Len() > 0 {
		if format := args.Index(0).Elem().Elem(); format.Type().Name() == "StrExpr" {
			stars, narrow = awkWidths(format.FieldByName("Value").String())
		}
	}
	for i := range args.Len() {
		if i > 0 {
			w.WriteString(", ")
		}
		switch {
		case i == 0 && !narrow:
			w.parts(w.prefix+"format(", args.Index(i), ")")
		case len(stars) > 0 && stars[0] == i:
			stars = stars[1:]
			w.parts(w.prefix+"width(", args.Index(i), ")")
		default:
			w.expression(args.Index(i))
		}
	}
}

// awkWidths gives the numbers of the arguments that are widths of a format, and
// whether those in the format itself can be printed.
func awkWidths(format string) (stars []int, narrow bool) {
	argument, narrow := 0, true
	for rest := format; ; argument++ {
		_, after, found := strings.Cut(rest, "%")
		for found && strings.HasPrefix(after, "%") {
			_, after, found = strings.Cut(after[1:], "%")
		}
		if !found {
			return stars, narrow
		}
		rest = strings.TrimLeft(after, " .-+*#0123456789")
		directive := after[:len(after)-len(rest)]
		for range strings.Count(directive, "*") {
			argument++
			stars = append(stars, argument)
		}
		for _, number := range strings.FieldsFunc(directive, func(r rune) bool { return r < '0' || r > '9' }) {
			narrow = narrow && !tooWide(number)
		}
	}
}

// awkFormat is for a format.
func awkFormat(format string) (string, error) {
	if _, narrow := awkWidths(format); !narrow {
		return "", errAwkWidth
	}
	return format, nil
}

// awkWidth is for a width or a precision that is an argument.
func awkWidth(width float64) (float64, error) {
	if math.Abs(width) > maxWidth {
		return 0, errAwkWidth
	}
	return width, nil
}
