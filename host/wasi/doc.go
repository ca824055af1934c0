// Package wasi is WASI preview 1, written once over the host functions of
// package engine, so that a guest sees the same bytes on every engine.
//
// [Imports] lists all 46 functions for the constructor of an engine; an [Env]
// is the world of one instance. That world is closed and repeatable: time is
// virtual and moves only when a guest looks at it, sleeps, or the host sets it;
// random bytes come from a seed; output is captured; arguments, environment and
// input are given as a whole. There are no files and no network. The functions
// for these exist, so that every guest links, and answer with the error number
// that fits:
//
//   - EBADF for a file descriptor that isn't open, as all beyond 2 are,
//   - ENOTDIR and ENOTSOCK for paths and sockets on descriptors 0 to 2,
//   - ESPIPE for positions in a stream,
//   - ENOSYS or ENOTSUP for what has no meaning here, such as signals,
//   - EFAULT for a pointer that leaves the guest's memory.
//
// Nothing a guest passes makes a function panic or wait.
package wasi
