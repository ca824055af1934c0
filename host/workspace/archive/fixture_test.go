package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// What follows makes archives, and looks at workspaces.

// dir, file, link and odd are members of tars.
func dir(name string) tar.Header { return tar.Header{Typeflag: tar.TypeDir, Name: name, Mode: 0o755} }
func file(name, content string) tar.Header {
	return tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: int64(len(content)), PAXRecords: map[string]string{contentRecord: content}}
}
func link(name, target string) tar.Header {
	return tar.Header{Typeflag: tar.TypeSymlink, Name: name, Linkname: target, Mode: 0o777}
}
func odd(kind byte, name string) tar.Header {
	return tar.Header{Typeflag: kind, Name: name, Linkname: "a", Mode: 0o644}
}

// contentRecord is where file puts the content until makeTar takes it.
const contentRecord = "TEST.content"

func makeTar(t testing.TB, headers ...tar.Header) []byte {
	t.Helper()
	var buffer bytes.Buffer
	w := tar.NewWriter(&buffer)
	for _, h := range headers {
		content := h.PAXRecords[contentRecord]
		h.PAXRecords = maps.Clone(h.PAXRecords)
		delete(h.PAXRecords, contentRecord)
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			if _, err := io.WriteString(w, content); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

// A zipped is a member of a zip.
type zipped struct {
	header  zip.FileHeader
	content string
}

func zipFile(name, content string) zipped {
	return zipped{zip.FileHeader{Name: name, Method: zip.Deflate}, content}
}

func makeZip(t testing.TB, members ...zipped) []byte {
	t.Helper()
	var buffer bytes.Buffer
	w := zip.NewWriter(&buffer)
	for _, m := range members {
		f, err := w.CreateHeader(&m.header)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, m.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

// compressors are the ways to compress a tar. Nil: the program isn't there.
var compressors = map[string]func(testing.TB, []byte) []byte{
	"plain": func(_ testing.TB, data []byte) []byte { return bytes.Clone(data) },
	"gzip": func(t testing.TB, data []byte) []byte {
		var buffer bytes.Buffer
		return written(t, &buffer, gzip.NewWriter(&buffer), data)
	},
	"xz": func(t testing.TB, data []byte) []byte {
		var buffer bytes.Buffer
		w, err := xz.NewWriter(&buffer)
		if err != nil {
			t.Fatal(err)
		}
		return written(t, &buffer, w, data)
	},
	"zstd": func(t testing.TB, data []byte) []byte {
		var buffer bytes.Buffer
		w, err := zstd.NewWriter(&buffer, zstd.WithEncoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		return written(t, &buffer, w, data)
	},
	"bzip2": bzip2ed,
}

func written(t testing.TB, buffer *bytes.Buffer, w io.WriteCloser, data []byte) []byte {
	t.Helper()
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

// bzip2ed compresses with the program, as Go can't.
func bzip2ed(t testing.TB, data []byte) []byte {
	t.Helper()
	packed := filtered(t, data, "bzip2", "-c")
	if plain, err := io.ReadAll(bzip2.NewReader(bytes.NewReader(packed))); err != nil || !bytes.Equal(plain, data) {
		t.Fatal("bzip2 made something else: ", err)
	}
	return packed
}

// filtered runs a program, or skips the test if there is none.
func filtered(t testing.TB, data []byte, name string, args ...string) []byte {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skip("there is no", name)
	}
	cmd := exec.Command(path, args...)
	cmd.Stdin = bytes.NewReader(data)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(name, err)
	}
	return out
}

func newTree(t testing.TB, limits workspace.Limits) *workspace.Tree {
	t.Helper()
	return workspace.New(workspace.Config{Limits: limits})
}

// list tells what is below the root, without some paths: "d/", "f=content",
// "l->target".
func list(t *workspace.Tree, skip ...string) []string {
	var lines []string
	for _, e := range t.Snapshot(skip...)[1:] {
		switch {
		case e.Mode.IsDir():
			lines = append(lines, e.Path+"/")
		case e.Mode&fs.ModeSymlink != 0:
			lines = append(lines, e.Path+"->"+e.Target)
		default:
			lines = append(lines, e.Path+"="+string(e.Content))
		}
	}
	return lines
}

func wantList(t *testing.T, tree *workspace.Tree, skip string, want ...string) {
	t.Helper()
	if got := list(tree, skip); !slices.Equal(got, want) {
		t.Errorf("the workspace has\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// wantMember checks for a MemberError.
func wantMember(t *testing.T, err error, member, reason string) {
	t.Helper()
	var refused *MemberError
	if !errors.As(err, &refused) {
		t.Fatalf("the error is %v, want %q of %q", err, reason, member)
	}
	if refused.Member != member || refused.ReasonText() != reason {
		t.Errorf("%q of %q, want %q of %q", refused.ReasonText(), refused.Member, reason, member)
	}
}

// extract unpacks into a new workspace.
func extract(t *testing.T, o ExtractOptions) (*workspace.Tree, error) {
	t.Helper()
	tree := newTree(t, workspace.Limits{})
	return tree, Extract(context.Background(), tree, o)
}
