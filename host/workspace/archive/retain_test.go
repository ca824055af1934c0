package archive

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// The workspace counts the file only. What is a part of an archive keeps all of that in
// memory, also when the archive is removed.
func TestOnlyAFileThatIsMuchOfATarIsAPartOfIt(t *testing.T) {
	for name, try := range map[string]struct {
		others int // bytes of the other file
		shared bool
	}{
		"alone":                {0, true},
		"a third":              {128 << 10, true},
		"a fifth":              {256 << 10, false},
		"small beside another": {4 << 20, false},
	} {
		for how, unpack := range map[string]func(*workspace.Tree, []byte) error{
			"extract": func(tree *workspace.Tree, data []byte) error {
				return Extract(context.Background(), tree, ExtractOptions{Path: "x.tar", Data: data})
			},
			"hydrate": func(tree *workspace.Tree, data []byte) error {
				return HydrateBytes(context.Background(), tree, data, nil)
			},
		} {
			data := makeTar(t, file("a", strings.Repeat("a", 64<<10)), file("b", strings.Repeat("b", try.others)))
			tree := newTree(t, workspace.Limits{})
			must(t, unpack(tree, data))
			copy(data, bytes.ReplaceAll(data, []byte("aaaa"), []byte("AAAA"))) // which nobody may do
			content, err := tree.ReadFile("a")
			must(t, err)
			if shared := bytes.Contains(content, []byte("A")); shared != try.shared {
				t.Errorf("%s, %s: it is a part of the tar: %v", how, name, shared)
			}
		}
	}
}

func TestAnArchiveThatComesInPiecesTakesNoMoreThanItHas(t *testing.T) {
	for _, size := range []int{1, 1000, 70_000, 1 << 20} {
		data, err := input(t.Context(), ExtractOptions{Reader: struct{ io.Reader }{bytes.NewReader(make([]byte, size))}}, 1<<30)
		must(t, err)
		if len(data) != size || cap(data) > size+size/8+16 {
			t.Errorf("%d bytes have %d of %d", size, len(data), cap(data))
		}
	}
}
