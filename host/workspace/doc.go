// Package workspace is a file tree in memory: what a sandbox session's files are
// when nothing is to touch the machine's own.
//
// For most uses call [New], fill the [Tree] with its method CopyFS, and look at what
// became of it with Snapshot and [Compare]. The tree's other methods are the
// operations of POSIX, by path; FS is the tree for users of package io/fs. A
// [Handle] is an open file or folder, for programs. Clone makes an independent tree
// that shares what hasn't changed; a [Stage] replaces all of a tree at one moment.
//
// A [Policy] says which paths may be used: those below the root, and those below
// grants. The tree makes sure that symlinks don't lead elsewhere. [Limits] bound
// what it holds. The tree's operations don't ask who does them; Access says what a
// user might do.
//
// Nothing of the host gets in: time is virtual, owners are names, and the order of
// a folder is that of its names. What operations answer, and which [Errno] they fail
// with, is what Linux says, but for what a tree has of its own: removed folders lead
// nowhere, names are UTF-8, and no path in a tree has more than 4095 bytes.
package workspace
