package host

import (
	"errors"
	"io/fs"
	"path"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// ls lists a folder, or a single file (S6.8). Entries have absolute paths, and are
// in the order of the bytes of their names.
func (b *backing) ls(r *LsRequest) (any, error) {
	clean, err := b.files.Policy().Normalize(r.Path)
	if err != nil {
		return nil, pathError(err)
	}
	list, err := b.list(clean, r.User)
	if err != nil {
		return nil, commandError([]string{"ls", "-la", "--", clean}, 2, "ls: cannot access '"+clean+"'", err)
	}
	return list, nil
}

func (b *backing) list(clean, user string) ([]FileEntry, error) {
	infos, folder, err := b.as(user).List(clean)
	if err != nil {
		return nil, err
	}
	entries := make([]FileEntry, len(infos))
	for i, info := range infos {
		name := clean
		if folder {
			name = path.Join(clean, info.Name)
		}
		entries[i] = fileEntry(name, info)
	}
	return entries, nil
}

func fileEntry(name string, info workspace.Info) FileEntry {
	e := FileEntry{
		Path: name, Permissions: Permissions(info.Mode.Perm()), Owner: info.Owner, Group: info.Group, Size: uint64(info.Size),
	}
	switch info.Mode.Type() {
	case fs.ModeDir:
		e.Kind = FileKindDirectory
		e.Permissions |= abi.DirectoryBit
	case fs.ModeSymlink:
		e.Kind = FileKindSymlink
	case 0:
		e.Kind = FileKindFile
	default:
		e.Kind = FileKindOther
	}
	return e
}

// rm removes a file, or with recursive what is there, if anything is (S6.9). A
// symlink is removed, not followed (S6.11).
func (b *backing) rm(r *RmRequest) error {
	clean, err := b.files.Policy().NormalizeForWrite(r.Path)
	if err != nil {
		return pathError(err)
	}
	argv, remove := []string{"rm", "--", clean}, b.as(r.User).Unlink
	if r.Recursive {
		argv, remove = []string{"rm", "-rf", "--", clean}, b.as(r.User).RemoveAll
	}
	if err := remove(clean); err != nil {
		if reason, ok := errors.AsType[*fs.PathError](err); ok && reason.Op == "access" {
			return b.denied(CodeWorkspaceArchiveWrite, "write", path.Dir(clean), err)
		}
		return commandError(argv, 1, "rm: cannot remove '"+clean+"'", err)
	}
	return nil
}

// mkdir makes a folder, or with parents all that are missing (S6.10).
func (b *backing) mkdir(r *MkdirRequest) error {
	clean, err := b.files.Policy().NormalizeForWrite(r.Path)
	if err != nil {
		return pathError(err)
	}
	argv, mkdir := []string{"mkdir", clean}, b.as(r.User).Mkdir
	if r.Parents {
		argv, mkdir = []string{"mkdir", "-p", clean}, b.as(r.User).MkdirAll
	}
	if err := mkdir(clean, 0); err != nil {
		return b.userError(CodeWorkspaceArchiveWrite, "write", r.Path, err, func(_ string, err error) error {
			return commandError(argv, 1, "mkdir: cannot create directory '"+clean+"'", err)
		})
	}
	return nil
}
