package workspace_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestAModeOfNothingCanBeMeant(t *testing.T) {
	tree := workspace.New(workspace.Config{})
	none := workspace.Exactly(0)
	check(t, tree.Mkdir("a", none))
	check(t, tree.MkdirAll("b/c", none))
	check(t, tree.WriteFile("d", nil, none))
	h := must(tree.Open(".", workspace.OpenOptions{}))(t)
	check(t, must(h.Open("e", workspace.OpenOptions{Write: true, Create: true, Mode: none}))(t).Close())
	check(t, h.Mkdir("f", none))
	check(t, h.Close())
	for _, name := range []string{"a", "b", "b/c", "d", "e", "f"} {
		if info := must(tree.Stat(name))(t); info.Mode&^fs.ModeDir != 0 {
			t.Errorf("%s has %v", name, info.Mode)
		}
	}
	check(t, tree.WriteFile("g", nil, workspace.Exactly(fs.ModeSetuid|0o711)))
	if info := must(tree.Stat("g"))(t); info.Mode != fs.ModeSetuid|0o711 {
		t.Errorf("it has %v", info.Mode)
	}
}

func TestTheSizeOfAFolderIsOneNumber(t *testing.T) {
	tree := workspace.New(workspace.Config{})
	check(t, tree.Mkdir("a", 0))
	if info := must(tree.Stat("a"))(t); info.Size != workspace.FolderSize {
		t.Errorf("got %d", info.Size)
	}
	if bytes, _ := tree.Usage(); bytes != 0 {
		t.Errorf("folders are counted with %d bytes", bytes)
	}
}

func TestValidatePath(t *testing.T) {
	for name, want := range map[string]error{
		"/a/b": nil, "": workspace.ENOENT, "a\x00": workspace.EINVAL, "\xff": workspace.EILSEQ,
		"/a/" + strings.Repeat("n", 256): workspace.ENAMETOOLONG, strings.Repeat("/a", 2048): workspace.ENAMETOOLONG,
	} {
		if err := workspace.ValidatePath(name); err != want {
			t.Errorf("%q: got %v, want %v", name, err, want)
		}
	}
}
