package host

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/v4a"
)

// patchDone is what apply_patch answers, whatever it did (S6.36).
const patchDone = "Done!"

// applyPatch applies the operations of a patch one by one. Those before one that
// fails stay (S6.37).
func (b *backing) applyPatch(ctx context.Context, r *ApplyPatchRequest) (any, error) {
	if r.PatchFormat != DefaultPatchFormat {
		return nil, patchError("", "the patch format "+strconv.Quote(r.PatchFormat)+" is unknown", nil)
	}
	for _, op := range r.Operations {
		switch op.Type {
		case "create_file", "update_file", "delete_file":
		default:
			return nil, patchError("", "the operation type "+strconv.Quote(op.Type)+" is unknown", nil)
		}
	}
	for _, op := range r.Operations {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := patchOperation{b, op}
		if err := p.apply(ctx); err != nil {
			return nil, err
		}
	}
	return patchDone, nil
}

// A patchOperation applies one operation of a call of apply_patch.
type patchOperation struct {
	backing *backing
	op      PatchOperation
}

func (p patchOperation) apply(ctx context.Context) error {
	clean, err := p.resolve(p.op.Path)
	if err != nil {
		return err
	}
	switch {
	case p.op.Type == "delete_file":
		return p.delete(clean)
	case p.op.Diff == nil:
		return patchError(p.op.Path, "the operation "+p.op.Type+" needs a diff", nil)
	case p.op.Type == "create_file":
		return p.create(clean)
	default:
		return p.update(ctx, clean)
	}
}

// resolve gives the absolute path of a file of the patch. It has to be below the
// root, whatever else is granted and wherever symlinks lead (S6.39).
func (p patchOperation) resolve(name string) (string, error) {
	invalid := func(reason string, cause error) (string, error) {
		return "", NewSandboxError(CodeApplyPatchInvalidPath, map[string]any{"path": name, "reason": reason}, cause)
	}
	if strings.TrimSpace(name) == "" {
		return invalid("empty", nil)
	}
	policy := p.backing.files.Policy()
	if _, err := policy.Relative(name); err != nil {
		return invalid(workspace.ReasonEscapeRoot, err)
	}
	clean, err := policy.Normalize(name)
	if err != nil {
		return invalid(workspace.ReasonEscapeRoot, err)
	}
	resolved, err := p.backing.files.RealpathMissing(clean)
	if err == nil {
		_, err = policy.Relative(resolved)
	}
	if isA[*workspace.EscapeError](err) { // what else is wrong shows when the file is used
		return invalid(workspace.ReasonEscapeRoot, err)
	}
	return clean, nil
}

// delete removes a file that is there (S6.40).
func (p patchOperation) delete(clean string) error {
	if _, err := p.source(clean, p.display(clean)); err != nil {
		return err
	}
	return p.backing.rm(&RmRequest{Path: clean})
}

// create writes a file, also over one that is there (S6.44).
func (p patchOperation) create(clean string) error {
	text, err := v4a.Create(*p.op.Diff)
	if err != nil {
		return patchError(p.op.Path, err.Error(), err)
	}
	err = p.backing.files.As(workspace.Actor{}).WriteFileAll(clean, []byte(text), 0)
	return p.writeFailure(clean, err)
}

// update changes a file, and moves it if the patch says so (S6.42, S6.43). What is written
// to it meanwhile isn't lost: then the patch is applied to that.
func (p patchOperation) update(ctx context.Context, clean string) error {
	for ctx.Err() == nil {
		if err := p.updateOnce(ctx, clean); !errors.Is(err, workspace.ErrChanged) {
			return err
		}
	}
	return ctx.Err()
}

func (p patchOperation) updateOnce(ctx context.Context, clean string) error {
	data, err := p.source(clean, p.op.Path)
	if err != nil {
		return err
	}
	if !utf8.Valid(data) {
		return NewSandboxError(CodeApplyPatchDecode, map[string]any{"path": clean}, nil)
	}
	text, err := v4a.Apply(ctx, string(data), *p.op.Diff)
	switch {
	case isA[*v4a.Error](err):
		return patchError(p.op.Path, err.Error(), err)
	case err != nil:
		return err
	}
	target := clean
	if p.op.MoveTo != nil {
		if target, err = p.resolve(*p.op.MoveTo); err != nil {
			return err
		}
	}
	return p.writeFailure(target, p.backing.files.Edit(clean, target, data, []byte(text)))
}

// source reads a file of the patch; name is what the error calls it.
func (p patchOperation) source(clean, name string) ([]byte, error) {
	data, err := p.backing.content(clean, "")
	if err != nil {
		return nil, notFound(name, err)
	}
	return data, nil
}

func notFound(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return NewSandboxError(CodeApplyPatchFileNotFound, map[string]any{"path": name}, err)
	}
	return err
}

// writeFailure turns the error of writing a file and the folders that lead to it into the
// one of what failed: to make the folders, or to write. nil stays nil.
func (p patchOperation) writeFailure(clean string, err error) error {
	if err == nil || errors.Is(err, workspace.ErrChanged) {
		return err
	}
	dir := path.Dir(clean)
	if info, missing := p.backing.files.Stat(dir); errors.Is(err, workspace.ENOSPC) || missing == nil && info.Mode.IsDir() {
		return writeError(clean, err)
	}
	return commandError([]string{"mkdir", "-p", dir}, 1, "mkdir: cannot create directory '"+dir+"'", err)
}

// display is how a path is shown: relative to the root.
func (p patchOperation) display(clean string) string {
	rel, err := p.backing.files.Policy().Relative(clean)
	if err != nil {
		return clean
	}
	return rel
}

// patchError is what is wrong with a patch. It has the file's path only if that is
// known (S7.13).
func patchError(name, message string, cause error) error {
	details := map[string]any{}
	if name != "" {
		details["path"] = name
	}
	e := NewSandboxError(CodeApplyPatchInvalidDiff, details, cause)
	e.Message = message
	return e
}
