package host

import (
	"io/fs"
	"path"

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
	info, err := b.files.Lstat(clean)
	if err != nil {
		return nil, err
	}
	if !info.Mode.IsDir() {
		return []FileEntry{fileEntry(clean, info)}, nil
	}
	if user != "" {
		if err := b.files.Access(clean, b.actor(user), workspace.MayRead); err != nil {
			return nil, err
		}
	}
	infos, err := b.files.ReadDir(clean)
	if err != nil {
		return nil, err
	}
	entries := make([]FileEntry, len(infos))
	for i, info := range infos {
		entries[i] = fileEntry(path.Join(clean, info.Name), info)
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
		e.Permissions |= Permissions(0o40000)
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
	if clean != b.files.Policy().Root() { // which can't be removed anyway
		if err := b.mayWrite(path.Dir(clean), r.User); err != nil {
			return err
		}
	}
	argv := []string{"rm", "--", clean}
	if r.Recursive {
		argv = []string{"rm", "-rf", "--", clean}
		err = b.files.RemoveAll(clean)
	} else {
		err = b.unlink(clean)
	}
	if err != nil {
		return commandError(argv, 1, "rm: cannot remove '"+clean+"'", err)
	}
	return nil
}

func (b *backing) unlink(clean string) error {
	info, err := b.files.Lstat(clean)
	switch {
	case err != nil:
		return err
	case info.Mode.IsDir():
		return workspace.EISDIR
	default:
		return b.files.Remove(clean)
	}
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
