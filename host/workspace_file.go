package host

import (
	"path"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// read gives a file's content (S6.82).
func (b *backing) read(r *ReadRequest) (any, error) {
	if err := b.mayRead(r.Path, r.User); err != nil {
		return nil, err
	}
	data, err := b.files.ReadFile(r.Path)
	if err != nil {
		return nil, readError(r.Path, err)
	}
	return ownedStream(data, false), nil
}

// write replaces a file by the data from its position on, and makes the folders
// that lead to it (S6.11, S6.82).
func (b *backing) write(r *recordedWrite) error {
	if err := b.mayWrite(r.path, r.user); err != nil {
		return err
	}
	data := r.data.data()
	return b.store(r.path, data[min(r.data.position, int64(len(data))):], r.user)
}

// store writes a file, which belongs to the user if it is new.
func (b *backing) store(name string, data []byte, user string) error {
	clean, err := b.files.Policy().NormalizeForWrite(name)
	if err != nil {
		return writeError(name, err)
	}
	_, missing := b.files.Lstat(clean)
	if err := b.files.MkdirAll(path.Dir(clean), 0); err != nil && clean != b.files.Policy().Root() {
		return writeError(name, err)
	}
	if err := b.files.WriteFile(clean, data, 0); err != nil {
		return writeError(name, err)
	}
	if missing != nil {
		return b.give(clean, user)
	}
	return nil
}

// give makes a user the owner of what was made for them.
func (b *backing) give(name, user string) error {
	if user == "" {
		return nil
	}
	return b.files.Chown(name, user, user)
}

// mayRead checks that a user can read what is at a path, as the original does with
// a command of its own (S6.12).
func (b *backing) mayRead(name, user string) error {
	err := b.access(name, user, workspace.MayRead)
	if err == nil {
		return nil
	}
	if _, missing := b.files.Stat(name); missing != nil {
		return readError(name, missing)
	}
	return b.denied(CodeWorkspaceArchiveRead, "read", name, err)
}

// mayWrite is mayRead for changes.
func (b *backing) mayWrite(name, user string) error {
	if err := b.access(name, user, workspace.MayWrite); err != nil {
		return b.denied(CodeWorkspaceArchiveWrite, "write", name, err)
	}
	return nil
}

func (b *backing) access(name, user string, want workspace.Permission) error {
	if user == "" {
		return nil
	}
	return b.files.Access(name, workspace.Actor{User: user, Groups: b.session.config.manifest.groupsOf(user)}, want)
}

// denied is what the check of a user's rights fails with. The script that the
// original would run is replaced by a tag in its context.
func (b *backing) denied(code Code, what, name string, err error) error {
	if e := pathError(err); e != nil {
		return e
	}
	return NewSandboxError(code, map[string]any{
		"path": name, "command": []string{"sh", "-c", "<check_" + what + "_access>", "sh", name},
		"stdout": "", "stderr": reasonText(err),
	}, err)
}
