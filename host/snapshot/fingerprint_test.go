package snapshot

import (
	"io/fs"
	"slices"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func sample() []workspace.Entry {
	e := func(path string, mode fs.FileMode, content, target string) workspace.Entry {
		return workspace.Entry{Path: path, Info: workspace.Info{Mode: mode, Owner: "u", Group: "g", Target: target}, Content: []byte(content)}
	}
	return []workspace.Entry{
		e(".", fs.ModeDir|0o755, "", ""), e("a", 0o644, "x", ""), e("d", fs.ModeDir|0o755, "", ""),
		e("d/b", 0o600, "", ""), e("l", fs.ModeSymlink|0o777, "", "a"),
	}
}

// S6.88
func TestAFingerprintChangesWithTheWorkspace(t *testing.T) {
	seen := map[string]string{Fingerprint(nil): "nothing", Fingerprint(sample()): "the sample"}
	for name, change := range map[string]func(e []workspace.Entry) []workspace.Entry{
		"content":   func(e []workspace.Entry) []workspace.Entry { e[1].Content = []byte("y"); return e },
		"more":      func(e []workspace.Entry) []workspace.Entry { e[1].Content = []byte("xx"); return e },
		"mode":      func(e []workspace.Entry) []workspace.Entry { e[1].Mode = 0o755; return e },
		"setuid":    func(e []workspace.Entry) []workspace.Entry { e[1].Mode |= fs.ModeSetuid; return e },
		"owner":     func(e []workspace.Entry) []workspace.Entry { e[1].Owner = "g"; return e },
		"group":     func(e []workspace.Entry) []workspace.Entry { e[1].Group = "u"; return e },
		"target":    func(e []workspace.Entry) []workspace.Entry { e[4].Target = "d"; return e },
		"name":      func(e []workspace.Entry) []workspace.Entry { e[1].Path = "aa"; return e },
		"gone":      func(e []workspace.Entry) []workspace.Entry { return e[:4] },
		"twice":     func(e []workspace.Entry) []workspace.Entry { return append(e, e[4]) },
		"boundary":  func(e []workspace.Entry) []workspace.Entry { e[1].Owner, e[1].Group = "ug", ""; return e },
		"to a file": func(e []workspace.Entry) []workspace.Entry { e[4].Mode = 0o777; return e },
	} {
		digest := Fingerprint(change(sample()))
		if other, found := seen[digest]; found {
			t.Errorf("%s has the fingerprint of %s", name, other)
		}
		seen[digest] = name
	}
}

func TestAFingerprintDoesntDependOnTimesAndOrder(t *testing.T) {
	want := Fingerprint(sample())
	e := sample()
	slices.Reverse(e)
	for i := range e {
		e[i].Modified, e[i].Accessed, e[i].Inode, e[i].Links = int64(i), 7, uint64(i), 3
	}
	if got := Fingerprint(e); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Stored fingerprints are compared with later ones: a change of how they are made
// needs another FingerprintVersion.
func TestAFingerprintIsStable(t *testing.T) {
	const want = "f893efbd855f6f1165228c4ae2b971e0f0b382ab1408ee2db74721c78b71cb97"
	if got := Fingerprint(sample()); got != want {
		t.Errorf("%s of %s, want %s", got, FingerprintVersion, want)
	}
}
