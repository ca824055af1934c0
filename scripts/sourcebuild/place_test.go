package sourcebuild

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTheNameOfWhatIsKeptIsNotTooLong(t *testing.T) {
	for _, base := range []string{"git", strings.Repeat("a", 255), strings.Repeat("é", 120), "a" + strings.Repeat("é", 120)} {
		b := &build{dir: "/x/" + base, language: AssemblyScript, kind: Reactor, cache: &cache{dir: "/cache"}}
		name := filepath.Base(b.place())
		if len(name) > 140 || filepath.Dir(b.place()) != filepath.Clean("/cache") || strings.ToValidUTF8(name, "") != name {
			t.Errorf("%s becomes %s", base, name)
		}
	}
}

func TestRulesForMakeAreRead(t *testing.T) {
	rules := "main.o: ./main.c /usr/include/a\\ b.h \\\n  cost$$.h\nother.o: other.c\nC:\\x.o: C:\\x.c\n\n"
	want := []string{"./main.c", "/usr/include/a b.h", "cost$.h", "other.c", `C:\x.c`}
	if got := prerequisites(rules); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOnlyFilesThatTheDigestHasAreWithin(t *testing.T) {
	for path, want := range map[string]bool{
		"/p/main.c": true, "/p/sub/a.h": true, "/p/../a.h": false, "/p/.deps/a.h": false, "/p/build/gen.h": false, "/other/a.h": false,
	} {
		if got := within("/p", filepath.Clean(path)); got != want {
			t.Errorf("%s: got %v", path, got)
		}
	}
}
