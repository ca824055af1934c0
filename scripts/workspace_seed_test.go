package scripts_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// A member is a file of a tar.
type member struct {
	name string
	kind byte // 0: a file
	text string
	link string
}

func makeTar(t *testing.T, members ...member) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		if m.kind == 0 {
			m.kind = tar.TypeReg
		}
		h := &tar.Header{Name: m.name, Typeflag: m.kind, Linkname: m.link, Size: int64(len(m.text)), Mode: 0o644}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(m.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// needLinks makes symlinks, or skips the test where there are none.
func needLinks(t *testing.T, links map[string]string) {
	t.Helper()
	for link, target := range links {
		if err := os.Symlink(target, link); err != nil {
			t.Skip(err)
		}
	}
}

const seededScript = `
version: 1
workspace:
  folder: project
  tar: more.tar.gz
  files: {c: of the script, link: no link any more, new: {text: x, mode: "600"}}
`

func TestATarReplacesAFolderAndFilesReplaceBoth(t *testing.T) {
	newFolder(t, map[string]string{
		"script.yaml": seededScript, "project/a": "of the folder", "project/b": "of the folder", "project/c": "of the folder", "project/new": "",
		"more.tar.gz": gzipped(t, makeTar(t, member{name: "./b", text: "of the tar"}, member{name: "c", text: "of the tar"}, member{name: "sub/d", text: "of the tar"})),
	})
	needLinks(t, map[string]string{"project/link": "a"})
	if err := os.Chmod("project/a", 0o750); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"a": "-rwxr-x--- of the folder", "b": "-rw-r--r-- of the tar", "c": "-rw-r--r-- of the script", "sub": "drwxr-xr-x",
		"sub/d": "-rw-r--r-- of the tar", "link": "-rw-r--r-- no link any more", "new": "-rw------- x",
	}
	if diff := cmp.Diff(want, treeOf(newSession(t, load(t)).Workspace())); diff != "" {
		t.Errorf("it has (-want +got):\n%s", diff)
	}
}

func TestLinksOfAFolderAreCopiedAsLinks(t *testing.T) {
	newFolder(t, map[string]string{"script.yaml": "{version: 1, workspace: {folder: project}}", "project/a": "hello", "secret": "of the host"})
	secret, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	needLinks(t, map[string]string{
		"project/inside": "a", "project/out": "../secret", "project/absolute": secret + "/secret", "project/folder": "..", "project/dangling": "nowhere",
	})
	session := newSession(t, load(t))
	want := map[string]string{
		"a": "-rw-r--r-- hello", "inside": "-> a", "out": "-> ../secret", "absolute": "-> " + secret + "/secret", "folder": "-> ..", "dangling": "-> nowhere",
	}
	if diff := cmp.Diff(want, treeOf(session.Workspace())); diff != "" {
		t.Errorf("it has (-want +got):\n%s", diff)
	}
	for _, name := range []string{"out", "absolute", "folder/secret"} {
		if r, err := session.Read(t.Context(), host.ReadRequest{Path: name}); err == nil {
			t.Errorf("%s can be read: %v", name, r)
		}
	}
}

func TestTheFolderMayBeReachedByALinkInside(t *testing.T) {
	const text = "{version: 1, workspace: {folder: link}}"
	newFolder(t, map[string]string{"in/script.yaml": text, "in/project/a": "hello", "out/script.yaml": text, "project/a": "hello"})
	needLinks(t, map[string]string{"in/link": "project", "out/link": "../project"})
	if _, err := scripts.Load(t.Context(), "in"); err != nil {
		t.Error(err)
	}
	_, err := scripts.Load(t.Context(), "out")
	if err == nil || !strings.HasPrefix(err.Error(), "out/script.yaml:1:34: workspace.folder can't be copied: link is outside of the script's folder;") {
		t.Errorf("got %v", err)
	}
	script, err := scripts.Load(t.Context(), "out", scripts.AllowOutside())
	if err != nil {
		t.Fatal(err)
	}
	if got := treeOf(newSession(t, script).Workspace()); got["a"] == "" {
		t.Errorf("it has %v", got)
	}
}

func TestATarThatCantBeUnpackedIsTold(t *testing.T) {
	text := strings.Repeat("0123456789abcdef", 1<<8)
	good := makeTar(t, member{name: "first", text: text}, member{name: "second", text: text})
	damaged := []byte(good)
	copy(damaged[512+len(text)+148:], "zzzzzz")
	for name, test := range map[string]struct{ data, want string }{
		"cut in a member":  {good[:512+len(text)/2], `the archive can't be read at member "first": unexpected EOF`},
		"cut in the next":  {good[:1024+len(text)+100], `the archive can't be read at member "second": unexpected EOF`},
		"a damaged header": {string(damaged), `the archive can't be read: archive/tar: invalid tar header`},
		"cut and packed":   {gzipped(t, good)[:60], `the archive can't be read: unexpected EOF`},
		"out of the root":  {makeTar(t, member{name: "a"}, member{name: "../b", text: "x"}), `its member "../b" can't be taken: parent traversal`},
		"absolute":         {makeTar(t, member{name: "/etc/passwd"}), `its member "/etc/passwd" can't be taken: absolute path`},
		"a link out":       {makeTar(t, member{name: "l", kind: tar.TypeSymlink, link: "../../x"}), `its member "l" can't be taken: symlink target escapes archive root: ../../x`},
		"a device":         {makeTar(t, member{name: "dev", kind: tar.TypeChar}), `its member "dev" can't be taken: unsupported member type`},
		"twice":            {makeTar(t, member{name: "a"}, member{name: "./a"}), `its member "./a" can't be taken: duplicate archive path: a`},
		"too much":         {makeTar(t, member{name: "a", text: strings.Repeat(text, 8)}), "it would be more than the workspace may have: 20000 bytes; workspace.limits.bytes allows more"},
		"too many":         {makeTar(t, member{name: "a"}, member{name: "b"}, member{name: "c"}, member{name: "d/e"}), "it would be more than the workspace may have: 4 files; workspace.limits.files allows more"},
	} {
		t.Run(name, func(t *testing.T) {
			newFolder(t, map[string]string{"script.yaml": "{version: 1, workspace: {tar: a.tar, limits: {bytes: 20000, files: 4}}}", "a.tar": test.data})
			_, err := scripts.Load(t.Context(), ".")
			if want := "script.yaml:1:31: workspace.tar can't be copied: " + test.want; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}

func TestAFolderBeyondTheLimitsIsTold(t *testing.T) {
	for text, want := range map[string]string{
		"bytes: 10": "it would be more than the workspace may have: 10 bytes; workspace.limits.bytes allows more",
		"files: 2":  "it would be more than the workspace may have: 2 files; workspace.limits.files allows more",
	} {
		newFolder(t, map[string]string{"script.yaml": "{version: 1, workspace: {folder: p, limits: {" + text + "}}}", "p/a": "0123456789", "p/b/c": "x"})
		_, err := scripts.Load(t.Context(), ".")
		if want := "script.yaml:1:34: workspace.folder can't be copied: " + want; err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}
