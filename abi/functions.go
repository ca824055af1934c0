package abi

import "slices"

// A Function is an export or import of a guest.
type Function struct {
	Name      string
	Signature string // for example "(i32, i32) -> i64"
	Required  bool   // of an export: every guest has to have it
}

var exports = []Function{
	{ExportInitialize, "()", false},
	{ExportVersion, "() -> i32", true},
	{ExportBuffer, "(i32) -> i32", true},
	{ExportDescribe, "() -> i64", true},
	{ExportOpen, "(i32) -> i64", true},
	{ExportMatch, "(i32, i32) -> i64", true},
	{ExportRespond, "(i32, i32) -> i64", true},
	{ExportClose, "() -> i64", false},
}

var imports = []Function{
	{ImportLog, "(i32, i32, i32) -> i32", false},
	{ImportFail, "(i32, i32) -> i32", false},
	{ImportBlobLen, "(i32) -> i64", false},
	{ImportBlobRead, "(i32, i64, i32, i32) -> i32", false},
	{ImportBlobNew, "() -> i32", false},
	{ImportBlobWrite, "(i32, i32, i32) -> i32", false},
	{ImportExtension, "(i32, i32, i32) -> i64", false},
}

// Exports lists the functions that a guest exports, in the order in which the
// host first calls them. The caller owns the slice.
func Exports() []Function { return slices.Clone(exports) }

// Imports lists the functions that the host offers in [ImportModule]. The caller
// owns the slice.
func Imports() []Function { return slices.Clone(imports) }
