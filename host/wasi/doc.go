// Package wasi is WASI preview 1, written once over the host functions of
// package engine, so that a guest sees the same bytes on every engine.
//
// [Imports] lists all 46 functions for the constructor of an engine; an [Env]
// is what surrounds one instance, which [Config] describes and Env.Close ends. It is
// closed and repeatable: time is virtual and moves only when a guest looks
// at it, sleeps, changes a file, or the host sets it; random bytes come from a seed;
// output is captured; arguments, environment and input are given as a whole.
//
// # Files
//
// A guest sees the files of a tree of package workspace, and no others: not those of
// the machine. From the start it has open the working folder as ".", the root and
// the grants of the tree's policy under their absolute paths, and, as "/", what is
// above them. Relative and absolute paths, "..", and changing folders work in C, Rust,
// Go and Zig as on POSIX, with two exceptions in the C library, which Rust uses as
// well. To it the working folder is "/" until the program changes it: getcwd says so,
// and absolute paths that are in none of these folders are looked up there. And a
// relative path that begins as one of them does, such as workspace/x, is an absolute
// one.
//
// How functions end is what POSIX says, with these additions:
//
//   - ENOTCAPABLE for a path that leads out of the root and the grants, through
//     symlinks as well, and for rights that were taken away,
//   - EROFS for changes in a grant that is for reading only,
//   - ENOSPC beyond the tree's limits, EMFILE beyond that of open descriptors,
//   - EFAULT for a pointer that leaves the guest's memory; nothing was done then,
//   - EBADF, ESPIPE, ENOTDIR and EISDIR for descriptors of another kind.
//
// What is open may be used for what its kind can do; only reading and writing have to
// be asked for. fd_fdstat_set_rights takes rights away, from what is opened in a folder
// later on as well. Symlinks may lead anywhere, and absolute paths may be used from
// any folder, where the specification wants both refused.
//
// A folder is listed in the order of the bytes of its names, and stays the same while
// it is read. The files' clock and the guest's follow each other, so that no file is
// from the future.
//
// Without a tree there are no files. The functions for these then answer EBADF and
// ENOTDIR, as those for sockets always answer ENOTSOCK; what has no meaning here, such
// as signals, is ENOSYS or ENOTSUP.
//
// # Price
//
// An engine that counts fuel lets a guest pay for what functions do, besides what the
// engine takes for each call of one:
//
//	a unit for each 8 bytes that are moved: random bytes, input, output, files, arguments, listings
//	8 units for each vector of a read or a write, each argument, each byte of a path, and each
//	of the targets of the symlinks that it leads through
//	64 units for each event that is waited for, each entry of a folder that is read, and each
//	that is below a folder which is moved to a longer path or to another grant
//	1024 units for a function that looks at files or changes them, but not for reading and
//	writing what is open
//	a unit for each 8 bytes that a file has after its length was changed, or a gap was left in it
//
// What moves many bytes does so in pieces of a MiB, each of which is paid for before it is
// moved, and ends with the context between two of them.
//
// # Terminals
//
// Nothing a guest passes makes a function panic, and none waits, unless Config has an
// input that does, writers, or a sleep. These make a terminal of the standard
// streams: the guest's call then lasts as long as they take, and ends with its
// context.
package wasi
