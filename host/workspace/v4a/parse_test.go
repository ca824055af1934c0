package v4a_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/v4a"
)

func created(path, diff string) abi.PatchOperation {
	return abi.PatchOperation{Type: v4a.CreateFile, Path: path, Diff: &diff}
}

func updated(path, diff string) abi.PatchOperation {
	return abi.PatchOperation{Type: v4a.UpdateFile, Path: path, Diff: &diff}
}

func moved(op abi.PatchOperation, to string) abi.PatchOperation {
	op.MoveTo = &to
	return op
}

func deleted(path string) abi.PatchOperation {
	return abi.PatchOperation{Type: v4a.DeleteFile, Path: path}
}

// begun is the text form of a patch.
func begun(lines ...string) string {
	return "*** Begin Patch\n" + strings.Join(append(lines, endOfPatch), "\n")
}

func TestPatchesHaveOperations(t *testing.T) { // S6.78
	type ops = []abi.PatchOperation
	for _, test := range []struct {
		name, patch string
		want        ops
	}{
		{"a file to add", begun("*** Add File: a.txt", "+x", "+"), ops{created("a.txt", "+x\n+\n")}},
		{"a file to delete", begun("*** Delete File: a.txt"), ops{deleted("a.txt")}},
		{"a file to update", begun("*** Update File: a.txt", "@@", "-x", "+y"), ops{updated("a.txt", "@@\n-x\n+y\n")}},
		{"a file to move", begun("*** Update File: a", "*** Move to: b/c", "+x"), ops{moved(updated("a", "+x\n"), "b/c")}},
		{"several", begun("*** Delete File: a", "*** Add File: b", "+x", "*** Update File: c", " y", "*** Delete File: d"),
			ops{deleted("a"), created("b", "+x\n"), updated("c", " y\n"), deleted("d")}},
		{"no newline at the end", strings.TrimSuffix(begun("*** Delete File: a"), "\n"), ops{deleted("a")}},
		{"CRLF", strings.ReplaceAll(begun("*** Add File: a", "+x", "*** Update File: b", "-y"), "\n", "\r\n"),
			ops{created("a", "+x\n"), updated("b", "-y\n")}},
		{"white space around a path", begun("*** Delete File:  a b\t"), ops{deleted("a b")}},
		{"the lines of a diff aren't looked at", begun("*** Update File: a", "nonsense", "", "*** End Patch", endOfFile),
			ops{updated("a", "nonsense\n\n*** End Patch\n*** End of File\n\n")}},
		{"a move that isn't the first line is one of the diff", begun("*** Update File: a", "@@", "*** Move to: b"),
			ops{updated("a", "@@\n*** Move to: b\n")}},

		{"JSON: an operation", `{"type": "create_file", "path": "a", "diff": "+x\n"}`, ops{created("a", "+x\n")}},
		{"JSON: a list", ` [{"type": "delete_file", "path": "a"}, {"type": "delete_file", "path": "b"}]`, ops{deleted("a"), deleted("b")}},
		{"JSON: operations", "\n{\"operations\": [{\"type\": \"delete_file\", \"path\": \"a\"}]}\n", ops{deleted("a")}},
		{"JSON: operation", `{"operation": {"type": "delete_file", "path": "a"}}`, ops{deleted("a")}},
		{"JSON: operations that aren't a list", `{"operations": {}, "operation": {"type": "delete_file", "path": "a"}}`, ops{deleted("a")}},
		{"JSON: neither", `{"operations": 5, "operation": null, "type": "delete_file", "path": "a"}`, ops{deleted("a")}},
		{"JSON: both", `{"operation": 5, "operations": [{"type": "delete_file", "path": "a"}]}`, ops{deleted("a")}},
		{"JSON: a move", `{"type": "update_file", "path": "a", "diff": "", "move_to": "b"}`, ops{moved(updated("a", ""), "b")}},
		{"JSON: a move to null", `{"type": "update_file", "path": "a", "diff": "", "move_to": null}`, ops{updated("a", "")}},
		{"JSON: a diff of a file to delete", `{"type": "delete_file", "path": "a", "diff": 5}`, ops{deleted("a")}},
		{"JSON: unknown fields", `{"type": "delete_file", "path": "a", "PATH": "b", "x": {"path": "c"}}`, ops{deleted("a")}},
		{"JSON: the last of several fields", `{"path": 5, "type": "delete_file", "path": "a"}`, ops{deleted("a")}},
		{"JSON: no operations", `[]`, ops{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := v4a.Parse(test.patch)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAPatchThatCantBeReadIsAnErrorWithItsLine(t *testing.T) { // S6.78
	for _, test := range []struct {
		name, patch string
		kind        v4a.Kind
		line        int
		text        string
	}{
		{"nothing", "", v4a.MissingBegin, 1, ""},
		{"another start", "*** Begin\n*** End Patch", v4a.MissingBegin, 1, "*** Begin"},
		{"an empty first line", "\n" + begun("*** Delete File: a"), v4a.MissingBegin, 1, ""},
		{"a space after the marker", "*** Begin Patch \n" + endOfPatch, v4a.MissingBegin, 1, "*** Begin Patch "},
		{"the start alone", "*** Begin Patch\n", v4a.MissingEnd, 1, "*** Begin Patch"},
		{"no end", "*** Begin Patch\n*** Delete File: a\n", v4a.MissingEnd, 2, "*** Delete File: a"},
		{"lines after the end", begun("*** Delete File: a") + "\n", v4a.MissingEnd, 4, ""},
		{"no operations", begun(), v4a.NoOperations, 2, "*** End Patch"},
		{"an unknown header", begun("*** Delete File: a", "*** Rename File: b"), v4a.DeleteWithBody, 3, "*** Rename File: b"},
		{"an unknown header at the start", begun("*** Rename File: b"), v4a.UnknownHeader, 2, "*** Rename File: b"},
		{"an empty line", begun("", "*** Delete File: a"), v4a.UnknownHeader, 2, ""},
		{"no space before the path", begun("*** Delete File:a"), v4a.UnknownHeader, 2, "*** Delete File:a"},
		{"an added line without a plus", begun("*** Add File: a", "+x", "y"), v4a.AddWithoutPlus, 4, "y"},
		{"an added line that is empty", begun("*** Add File: a", "+x", "", "+y"), v4a.AddWithoutPlus, 4, ""},
		{"an added file without lines", begun("*** Add File: a", "*** Delete File: b"), v4a.AddWithoutLines, 2, "*** Add File: a"},
		{"a deleted file with a diff", begun("*** Delete File: a", "-x"), v4a.DeleteWithBody, 3, "-x"},
		{"an updated file without a hunk", begun("*** Update File: a"), v4a.UpdateWithoutHunk, 2, "*** Update File: a"},
		{"a moved file without a hunk", begun("*** Update File: a", "*** Move to: b"), v4a.UpdateWithoutHunk, 2, "*** Update File: a"},
		{"a file to add without a path", begun("*** Add File: ", "+x"), v4a.HeaderWithoutPath, 2, "*** Add File: "},
		{"a file to delete without a path", begun("*** Delete File: \t"), v4a.HeaderWithoutPath, 2, "*** Delete File: \t"},
		{"a file to update without a path", begun("*** Delete File: a", "*** Update File: ", "+x"), v4a.HeaderWithoutPath, 3, "*** Update File: "},
		{"a move without a path", begun("*** Update File: a", "*** Move to: ", "+x"), v4a.HeaderWithoutPath, 3, "*** Move to: "},

		{"JSON: that ends early", "{\n\"type\":\n", v4a.InvalidJSON, 3, "unexpected end of JSON input"},
		{"JSON: with more after it", "[]\n\nx", v4a.InvalidJSON, 3, "invalid character 'x' after top-level value"},
		{"JSON: after a space that isn't JSON's", "\u00a0[]", v4a.InvalidJSON, 1, `invalid character 'Â' looking for beginning of value`},
		{"JSON: an operation that is a number", "[\n5]", v4a.NotAnOperation, 2, "5"},
		{"JSON: one that is text", `{"operation": "x"}`, v4a.NotAnOperation, 1, `"x"`},
		{"JSON: one that is null", `{"operations": [null]}`, v4a.NotAnOperation, 1, `null`},
		{"JSON: no type", `{"path": "a"}`, v4a.UnknownType, 1, `{"path": "a"}`},
		{"JSON: an unknown type", `{"type": "rename_file"}`, v4a.UnknownType, 1, `{"type": "rename_file"}`},
		{"JSON: a type that is a list", `{"type": []}`, v4a.UnknownType, 1, `{"type": []}`},
		{"JSON: no path", `{"type": "delete_file"}`, v4a.MissingPath, 1, `{"type": "delete_file"}`},
		{"JSON: an empty path", `{"type": "delete_file", "path": ""}`, v4a.MissingPath, 1, `{"type": "delete_file", "path": ""}`},
		{"JSON: no diff to create", "[{\"type\": \"delete_file\", \"path\": \"a\"},\n\n{\"type\": \"create_file\", \"path\": \"a\"}]",
			v4a.MissingDiff, 3, `{"type": "create_file", "path": "a"}`},
		{"JSON: a diff that is null", `{"type": "update_file", "path": "a", "diff": null}`, v4a.MissingDiff, 1,
			`{"type": "update_file", "path": "a", "diff": null}`},
		{"JSON: a move to a number", `{"type": "delete_file", "path": "a", "move_to": 5}`, v4a.InvalidMoveTo, 1,
			`{"type": "delete_file", "path": "a", "move_to": 5}`},
		{"JSON: of which only the start is told", `{"x": "` + strings.Repeat("é", 60) + `"}`, v4a.UnknownType, 1,
			`{"x": "` + strings.Repeat("é", 46) + `…`},
		{"JSON: nested too deeply", strings.Repeat("[", 20_000), v4a.InvalidJSON, 1, "invalid character '[' exceeded max depth"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := v4a.Parse(test.patch)
			var failed *v4a.Error
			if !errors.Is(err, test.kind) || !errors.As(err, &failed) || got != nil {
				t.Fatalf("%v, %v, want %v", got, err, test.kind)
			}
			if failed.Line != test.line || failed.Text != test.text {
				t.Errorf("line %d: %q, want line %d: %q", failed.Line, failed.Text, test.line, test.text)
			}
		})
	}
}

func TestTheTextOfAPatchesErrorNamesTheLine(t *testing.T) {
	_, err := v4a.Parse(begun("*** Add File: a", "x"))
	if got, want := err.Error(), "line 3: a line of an added file must start with +: x"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := errors.Unwrap(err).Error(), "a line of an added file must start with +"; got != want {
		t.Errorf("the kind is %q, want %q", got, want)
	}
}

func TestAPatchThatIsTooLargeIsRefused(t *testing.T) {
	_, err := v4a.Parse(strings.Repeat("\n", v4a.MaxPatch+1))
	if !errors.Is(err, v4a.TooLarge) {
		t.Error(err)
	}
}
