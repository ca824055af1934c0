package host

import (
	"errors"
	"io/fs"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// read gives a file's content (S6.82).
func (b *backing) read(r *ReadRequest) (any, error) {
	data, err := b.content(r.Path, r.User)
	if err != nil {
		return nil, err
	}
	return ownedStream(data, false), nil
}

// content reads a file for a user, whose rights are looked at in the same moment.
func (b *backing) content(name, user string) ([]byte, error) {
	data, err := b.as(user).ReadFile(name)
	if err != nil {
		return nil, b.userError(CodeWorkspaceArchiveRead, "read", name, err, readError)
	}
	return data, nil
}

// write replaces a file by the data from its position on, and makes the folders
// that lead to it (S6.11, S6.82).
func (b *backing) write(r *recordedWrite) error {
	data := r.data.data()
	return b.store(r.path, data[min(r.data.position, int64(len(data))):], r.user)
}

// store writes a file for a user. The file and the folders belong to the user if they
// are new.
func (b *backing) store(name string, data []byte, user string) error {
	if err := b.as(user).WriteFileAll(name, data, 0); err != nil {
		return b.userError(CodeWorkspaceArchiveWrite, "write", name, err, writeError)
	}
	return nil
}

// as is the workspace as a user may use it; "" may do everything.
func (b *backing) as(user string) workspace.View {
	return b.files.As(b.actor(user))
}

func (b *backing) actor(user string) workspace.Actor {
	if user == "" {
		return workspace.Actor{}
	}
	return workspace.Actor{User: user, Groups: b.session.config.manifest.groupsOf(user)}
}

// userError is what something fails with that was done for a user: another error if
// it is the user's rights that are missing (S6.12).
func (b *backing) userError(code Code, what, name string, err error, other func(string, error) error) error {
	if reason, ok := errors.AsType[*fs.PathError](err); ok && reason.Op == "access" && errors.Is(err, workspace.EACCES) {
		return b.denied(code, what, name, err)
	}
	return other(name, err)
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
