// Package builtin has the utilities that scripts use all the time, over a
// workspace: cat, ls, grep, sort, find and more. [Tools] gives all of them.
//
// They print what those of GNU print in the C locale, as far as their options go.
// An option that isn't known is an error. Patterns have no back-references. The names that
// mktemp makes up are the same in every run.
//
// sed, awk (by goawk) and jq (by gojq) are programs of their own; what they read,
// write and run is of the workspace.
package builtin
