package snapshot

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
)

func local(t *testing.T, dir, id string) *Local {
	t.Helper()
	l, err := NewLocal(dir, id)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func restored(t *testing.T, s Snapshot) string {
	t.Helper()
	r, err := s.Restore(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		names = append(names, f.Name())
	}
	return names
}

// S5.4
func TestNoopStoresNothing(t *testing.T) {
	n := NewNoop("x")
	if err := n.Persist(t.Context(), iotest.ErrReader(errors.New("read"))); err != nil {
		t.Errorf("Persist looked at the data: %v", err)
	}
	if ok, err := n.Restorable(t.Context()); ok || err != nil {
		t.Errorf("Restorable = %v, %v", ok, err)
	}
	_, err := n.Restore(t.Context())
	var not *NotRestorableError
	if !errors.As(err, &not) || *not != (NotRestorableError{ID: "x", Path: "<noop>"}) {
		t.Errorf("Restore: %v", err)
	}
}

// S6.89
func TestLocalStoresAFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there")
	l := local(t, dir, "a.b c-1")
	if ok, err := l.Restorable(t.Context()); ok || err != nil {
		t.Errorf("before: Restorable = %v, %v", ok, err)
	}
	_, err := l.Restore(t.Context())
	var failed *RestoreError
	if !errors.As(err, &failed) || failed.ID != "a.b c-1" || failed.Path != l.Path() || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before: Restore: %v", err)
	}
	for _, content := range []string{"first", "second, which is longer", ""} {
		if err := l.Persist(t.Context(), strings.NewReader(content)); err != nil {
			t.Fatal(err)
		}
		if got := restored(t, l); got != content {
			t.Errorf("restored %q, want %q", got, content)
		}
	}
	if ok, err := l.Restorable(t.Context()); !ok || err != nil {
		t.Errorf("after: Restorable = %v, %v", ok, err)
	}
	if got := files(t, dir); len(got) != 1 || got[0] != "a.b c-1.tar" {
		t.Errorf("the folder has %q", got)
	}
}

// S6.89
func TestAFailureLeavesTheOldFileAndNoOther(t *testing.T) {
	cause := errors.New("the wire was cut")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, try := range map[string]struct {
		ctx   context.Context
		r     io.Reader
		cause error
	}{
		"at once":      {t.Context(), iotest.ErrReader(cause), cause},
		"half-way":     {t.Context(), io.MultiReader(bytes.NewReader(make([]byte, 1<<20)), iotest.ErrReader(cause)), cause},
		"by a timeout": {t.Context(), iotest.TimeoutReader(io.MultiReader(strings.NewReader("a"), strings.NewReader("b"))), iotest.ErrTimeout},
		"cancelled":    {cancelled, strings.NewReader("new"), context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			l := local(t, dir, "s")
			if err := l.Persist(t.Context(), strings.NewReader("old")); err != nil {
				t.Fatal(err)
			}
			err := l.Persist(try.ctx, try.r)
			var failed *PersistError
			if !errors.As(err, &failed) || failed.ID != "s" || failed.Path != l.Path() || !errors.Is(err, try.cause) {
				t.Errorf("Persist: %v", err)
			}
			if got := restored(t, l); got != "old" {
				t.Errorf("restored %q", got)
			}
			if got := files(t, dir); len(got) != 1 {
				t.Errorf("the folder has %q", got)
			}
		})
	}
}

type panicReader struct{}

func (panicReader) Read([]byte) (int, error) { panic("reader") }

func TestAPanicOfTheReaderLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	func() {
		defer func() { _ = recover() }()
		_ = local(t, dir, "s").Persist(t.Context(), panicReader{})
	}()
	if got := files(t, dir); len(got) != 0 {
		t.Errorf("the folder has %q", got)
	}
}

// While it is written the file is hidden, and the real one is whole: whoever is
// killed then leaves that.
func TestTheFileIsAlwaysWhole(t *testing.T) {
	dir := t.TempDir()
	l := local(t, dir, "s")
	if err := l.Persist(t.Context(), strings.NewReader("old")); err != nil {
		t.Fatal(err)
	}
	looked := false
	look := readerFunc(func([]byte) (int, error) {
		looked = true
		names := files(t, dir)
		if len(names) != 2 || !strings.HasPrefix(names[0], ".s.tar.") || !strings.HasSuffix(names[0], ".tmp") {
			t.Errorf("while writing the folder has %q", names)
		}
		if got := restored(t, l); got != "old" {
			t.Errorf("while writing: restored %q", got)
		}
		return 0, io.EOF
	})
	if err := l.Persist(t.Context(), io.MultiReader(strings.NewReader("new"), look)); err != nil || !looked {
		t.Fatal(err, looked)
	}
	if got := restored(t, l); got != "new" {
		t.Errorf("restored %q", got)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestOpenSnapshotsStayWhatTheyWere(t *testing.T) {
	l := local(t, t.TempDir(), "s")
	if err := l.Persist(t.Context(), strings.NewReader("old")); err != nil {
		t.Fatal(err)
	}
	open, err := l.Restore(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	if err := l.Persist(t.Context(), strings.NewReader("new")); err != nil {
		t.Skip("this system doesn't replace open files:", err)
	}
	if data, err := io.ReadAll(open); err != nil || string(data) != "old" {
		t.Errorf("read %q, %v", data, err)
	}
}

func TestLocalIsSafeForConcurrentUse(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			l := local(t, dir, "s")
			content := strings.Repeat(string(rune('a'+i)), 100_000)
			for range 5 {
				if err := l.Persist(t.Context(), strings.NewReader(content)); err != nil {
					t.Error(err)
					return
				}
				r, err := l.Restore(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				data, err := io.ReadAll(r)
				_ = r.Close()
				if err != nil || len(data) != 100_000 || strings.Trim(string(data), string(data[:1])) != "" {
					t.Errorf("read %d bytes of several writers, %v", len(data), err)
				}
			}
		})
	}
	wg.Wait()
	if got := files(t, dir); len(got) != 1 {
		t.Errorf("the folder has %q", got)
	}
}

// S6.89
func TestAnIDIsASinglePathSegmentEverywhere(t *testing.T) {
	for _, id := range []string{
		"", ".", "..", "/", "a/", "a/b", "/a", "../a", `\`, `a\`, `a\b`, `..\a`, "C:", "C:a", "c:/a", "a:b", "a\x00b", "a\nb",
		"a*b", "a?b", "a|b", "<a>", `"a"`, "CON", "con", "nul.x", "Com1", "LPT9.old", "com¹", "aux ", "\xff", strings.Repeat("a", 201),
	} {
		_, err := NewLocal(t.TempDir(), id)
		var bad *IDError
		if !errors.As(err, &bad) || bad.ID != id || bad.Reason == "" {
			t.Errorf("%q: %v", id, err)
		}
	}
	for _, id := range []string{"a", "a.b", "...", "-", "0123-4567", "ü", "COM", "COM10", "console", "a b", strings.Repeat("a", 200)} {
		dir := t.TempDir()
		if err := local(t, dir, id).Persist(t.Context(), strings.NewReader("x")); err != nil {
			t.Errorf("%q: %v", id, err)
		}
		if got := files(t, dir); len(got) != 1 || got[0] != id+".tar" {
			t.Errorf("%q: the folder has %q", id, got)
		}
	}
}

func TestWhatIsNoFileIsntRestorable(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "s.tar"), 0o755); err != nil {
		t.Fatal(err)
	}
	l := local(t, dir, "s")
	if ok, err := l.Restorable(t.Context()); ok || err != nil {
		t.Errorf("Restorable = %v, %v", ok, err)
	}
	err := l.Persist(t.Context(), strings.NewReader("x"))
	var failed *PersistError
	if !errors.As(err, &failed) {
		t.Errorf("Persist: %v", err)
	}
	if got := files(t, dir); len(got) != 1 {
		t.Errorf("the folder has %q", got)
	}
}

func TestAFolderThatIsAFileIsAPersistError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var failed *PersistError
	if err := local(t, file, "s").Persist(t.Context(), strings.NewReader("x")); !errors.As(err, &failed) {
		t.Errorf("Persist: %v", err)
	}
}
