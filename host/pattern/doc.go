// Package pattern compares calls and results with what is wanted of them,
// written as plain values: what YAML and JSON can hold.
//
//	m, err := pattern.New([]any{"git", pattern.Glob("st*")}, map[string]any{"timeout": 5})
//
// makes a [host.Matcher]; [Compile] makes a [Pattern] for any other value. What
// doesn't fit is told field by field, all of it, in a fixed order.
//
// # What fits
//
//	null             only null
//	true, 5, "text"  an equal value; numbers are compared by value, so 5 is 5.0
//	[…]              a list of the same length whose items fit one by one
//	{k: …}           a map that has these keys, with values that fit; others may
//	                 be there, too
//	{exact: v}       a value equal to v in full: maps have the same keys, and
//	                 nothing in v is a pattern
//	{glob: "*.go"}   text that the glob matches as a whole: ** crosses slashes,
//	                 * and ? don't, {a,b} is one of two; at most 1000
//	                 alternatives, braces being written out
//	{regex: "^a"}    text that has a match of the regular expression (RE2)
//	                 anywhere; anchor it with ^ and $ to match the whole
//	{any: true}      whatever there is, null included, but it has to be there
//	{base64: "…"}    these bytes, even if they are shown as text
//	{text: p}        also text that fits p: a stream's content, perhaps with its
//	                 position, {text: p, position: 0}
//
// A map with exactly one of the keys exact, glob, regex, any and base64 is such a rule; to look for the
// map itself, quote it: {exact: {glob: x}}.
package pattern
