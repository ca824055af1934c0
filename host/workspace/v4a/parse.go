package v4a

import (
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// The types of operations.
const (
	CreateFile = "create_file"
	UpdateFile = "update_file"
	DeleteFile = "delete_file"
)

// Parse reads a patch as a model writes it: file operations between *** Begin Patch
// and *** End Patch, or as JSON, which starts with { or [ (S6.78). Each operation has
// one of the three types, a path that isn't empty, and a diff unless it deletes;
// nothing else is checked of them. Only JSON may have no operations. The operations
// may share memory with the patch.
//
// The error is an [*Error].
func Parse(patch string) ([]abi.PatchOperation, error) {
	if err := checkSize("patch", patch, MaxPatch); err != nil {
		return nil, err
	}
	if start := strings.TrimLeftFunc(patch, isSpace); start != "" && (start[0] == '{' || start[0] == '[') {
		return parseJSON(patch)
	}
	return parseText(patch)
}
