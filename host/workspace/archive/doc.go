// Package archive moves archives in and out of a workspace in memory.
//
// [Extract] writes a tar or zip archive into a [workspace.Tree] and unpacks it
// beside itself (S6.22 to S6.34). [Persist] makes a tar of all of a workspace, and
// [Hydrate] makes a workspace what such a tar says (S6.86).
//
// Archives are hostile until they are checked: no member gets out of its folder,
// goes through a symlink, or claims a size that isn't there, and none of them makes
// the host hold more than the workspace may, apart from the archive itself and a
// decoder's window. Nothing is written before all of an archive has been read and
// found good.
package archive
