package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/internal/endingctx"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// many is a tar of empty files in nested folders.
func many(t testing.TB, files, depth int) []byte {
	t.Helper()
	folder := strings.Repeat("d/", depth)
	headers := make([]tar.Header, files)
	for i := range headers {
		headers[i] = file(fmt.Sprint(folder, i), "")
	}
	return makeTar(t, headers...)
}

func TestExtractEndsWithItsContextWhereverItIs(t *testing.T) {
	data := many(t, 20, 5)
	for _, left := range []int{0, 1, 5, 20, 30, 50} {
		tree := workspace.New(workspace.Config{})
		err := Extract(endingctx.After(t.Context(), left), tree, ExtractOptions{Path: "/workspace/a.tar", Data: data})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after %d looks: got %v", left, err)
		}
	}
}

func TestHydrateEndsWithItsContextAndChangesNothing(t *testing.T) {
	data := many(t, 20, 5)
	for _, left := range []int{0, 1, 5, 20, 40} {
		tree := workspace.New(workspace.Config{})
		for _, err := range []error{
			Hydrate(endingctx.After(t.Context(), left), tree, bytes.NewReader(data), nil),
			HydrateBytes(endingctx.After(t.Context(), left), tree, data, nil),
		} {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("after %d looks: got %v", left, err)
			}
		}
		if _, files := tree.Usage(); files > 1 {
			t.Errorf("after %d looks: there are %d files", left, files)
		}
	}
}

func TestDecompressionEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := bounded(ctx, endlessZeros{}, 1<<40, nil)
	if _, err := s.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := s.drain(); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// What has nothing in it makes no progress that could be seen.
func TestReadingNothingEndsWithItsContext(t *testing.T) {
	var empty bytes.Buffer
	must(t, gzip.NewWriter(&empty).Close())
	longName := makeTar(t, tar.Header{Typeflag: tar.TypeReg, Name: strings.Repeat("n", 200), Format: tar.FormatGNU})
	for name, nothing := range map[string]string{
		"gzip":       empty.String(),
		"zstd":       "\x50\x2a\x4d\x18\x00\x00\x00\x00",
		"xz":         "\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4\x46\x00\x00\x00\x00\x1c\xdf\x44\x21\x1f\xb6\xf3\x7d\x01\x00\x00\x00\x00\x04YZ",
		"long names": string(longName[:2*tarBlock]),
	} {
		data := bytes.Repeat([]byte(nothing), 1<<20/len(nothing))
		ctx := endingctx.After(t.Context(), 10)
		err := Extract(ctx, workspace.New(workspace.Config{}), ExtractOptions{Path: "x.tar", Data: data})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v after %d looks", name, err, 10-ctx.Left())
		}
	}
}

type endlessZeros struct{}

func (endlessZeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

var _ io.Reader = endlessZeros{}

func TestMembersOfTheSameAndOtherDeepFoldersKeepTheirPlaces(t *testing.T) {
	tree := workspace.New(workspace.Config{})
	data := makeTar(t, file("a/b/1", "1"), file("a/b/2", "2"), file("a/c/3", "3"), file("a/b/4", "4"), file("5", "5"), file("a/b/6", "6"))
	if err := Extract(t.Context(), tree, ExtractOptions{Path: "/workspace/x.tar", Data: data}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a/b/1": "1", "a/b/2": "2", "a/c/3": "3", "a/b/4": "4", "5": "5", "a/b/6": "6"} {
		if content, err := tree.ReadFile("/workspace/" + name); err != nil || string(content) != want {
			t.Errorf("%s: %q, %v", name, content, err)
		}
	}
}

func TestAFileInTheWayOfAFolderThatIsKnownIsRefused(t *testing.T) {
	for _, data := range [][]byte{
		makeTar(t, file("a/b/1", ""), file("a/b/2", ""), file("a/b", "")),
		makeTar(t, file("a", ""), file("a/b/1", ""), file("a/b/2", "")),
	} {
		var refused *MemberError
		err := Extract(t.Context(), workspace.New(workspace.Config{}), ExtractOptions{Path: "/workspace/x.tar", Data: data})
		if !errors.As(err, &refused) || refused.Reason != ReasonBelowFile {
			t.Errorf("got %v", err)
		}
	}
}

func BenchmarkExtractDeepFolders(b *testing.B) {
	data := many(b, 2000, 500)
	for b.Loop() {
		if err := Extract(b.Context(), workspace.New(workspace.Config{}), ExtractOptions{Path: "/workspace/x.tar", Data: data}); err != nil {
			b.Fatal(err)
		}
	}
}
