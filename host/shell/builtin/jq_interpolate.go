package builtin

import "github.com/itchyny/gojq"

// fitting is what a text with parts in it is, as a sum: each of the steps has to fit.
// Format is what makes texts of the parts.
func fitting(text *gojq.String, format string) *gojq.Query {
	var sum *gojq.Query
	for _, part := range text.Queries {
		if part.Term == nil || part.Term.Str == nil {
			part = piped(part, formatted(format))
		}
		if sum == nil {
			sum = part
			continue
		}
		sum = piped(&gojq.Query{Left: sum, Op: gojq.OpAdd, Right: part}, called("fit_"))
	}
	return &gojq.Query{Term: wrapped(sum)}
}

func formatted(format string) *gojq.Query {
	if format == "" {
		return called("tostring")
	}
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFormat, Format: format}}
}

// fitString is what a text is in the place of which there may be any filter, if it has
// several parts.
func fitString(text *gojq.String) (*gojq.Query, bool) {
	if text == nil || len(text.Queries) < 2 {
		return nil, false
	}
	return fitting(text, ""), true
}
