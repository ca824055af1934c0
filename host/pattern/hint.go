package pattern

import "strings"

// hint says which pattern a text that is compared exactly may have been meant as: one
// that fits what it was compared with. It is empty if none does.
func (r equal) hint(got any) string {
	want, ok := r.value.(string)
	text, isText := got.(string)
	if !ok || !isText || r.exact {
		return ""
	}
	if strings.ContainsAny(want, "*?[{") && fits(compileGlob, want, text) {
		return ", exactly; {glob: " + show(want) + "} would fit"
	}
	if looksLikeRegex(want) && fits(compileRegex, want, text) {
		return ", exactly; {regex: " + show(want) + "} would fit"
	}
	return ""
}

func fits(compile func(field string, operand any, depth int) (rule, error), pattern, text string) bool {
	r, err := compile("", pattern, 0)
	return err == nil && len(r.compare(nil, "", text)) == 0
}

// looksLikeRegex reports whether a text has what hardly any other text has.
func looksLikeRegex(text string) bool {
	return strings.HasPrefix(text, "^") || strings.HasSuffix(text, "$") || strings.Contains(text, ".*") || strings.Contains(text, ".+")
}
