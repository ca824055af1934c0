// Package v4a reads and applies patches in the V4A format, the one that models
// are taught for apply_patch. It works on texts alone: reading, writing and moving
// files is its caller's.
//
// For a patch as a model writes it, call [Parse], which gives operations on files.
// For the diff of one operation, call [Apply] to update a text, or [Create] to make
// a new one. Every error is an [*Error] that tells the line; errors.Is finds its
// [Kind].
//
// # A diff
//
//	@@ func main() {
//	 	a := 1
//	-	b := 2
//	+	b := 3
//	@@
//	-last
//	*** End of File
//
// A diff has hunks. The first lines of a hunk are headers: @@ alone, or with a line
// of the file to go to first. The others start with a space, to keep a line, with -,
// to delete one, or with +, to add one. The lines to keep and to delete are looked
// for in the file, from where the hunk before ended, first as they are, then without
// the white space at their ends, then without that at both sides.
//
// # Limits
//
// Time and memory grow in proportion to the sizes of the text and of the diff,
// whatever is in them. What is larger than [MaxText], [MaxDiff] or [MaxPatch], or has
// more lines than [MaxTextLines] or [MaxDiffLines], is refused.
package v4a
