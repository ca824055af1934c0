// Package listing reads and writes what `ls -la` prints.
//
// [Parse] is the reader of the original's ls (S6.13–S6.21), which takes the output
// of any ls that a sandbox has. [Format] is the writer for a sandbox whose files
// are in memory: it prints as the ls of GNU does into a pipe, in UTC, and the same
// at any time and on any machine.
//
// What Format prints, Parse reads back. As with the real ls, that isn't so for a
// name that begins with a space or has a line break in it, for a symlink with an
// arrow in its name, nor for an owner or group with a space: those lines mean
// something else.
package listing
