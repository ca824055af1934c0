package wasi_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// whereTree has a root "/work" and a grant, with something to find in all places.
func whereTree(t *testing.T) *workspace.Tree {
	t.Helper()
	policy, err := workspace.NewPolicy("/work", workspace.Grant{Path: "/granted"})
	if err != nil {
		t.Fatal(err)
	}
	tree := workspace.New(workspace.Config{Policy: policy, Now: newYear})
	if err := tree.MkdirAll("sub/inner", 0); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		"/work/up": "in the root", "/work/sub/here": "in sub", "/work/sub/inner/here": "in inner", "/granted/g": "granted",
	} {
		if err := tree.WriteFile(path, []byte(text), 0); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"absolute link": "/work/up", "relative link": "../up", "escaping link": "/secret",
	} {
		if err := tree.Symlink(target, "sub/"+name); err != nil {
			t.Fatal(err)
		}
	}
	return tree
}

// What a program in any language sees from /work/sub.
const seen = `here: in sub
./here: in sub
../up: in the root
../sub/../up: in the root
/work/up: in the root
/work/sub/here: in sub
/granted/g: granted
../../secret: error 76
../../granted/g: granted
/work/../secret: error 76
absolute link: in the root
relative link: in the root
escaping link: error 76
`

// What it sees from the folders that it changes to.
var seenFrom = []string{
	"here: in inner\nup: error 44\ng: error 44\n/work/up: in the root\n", // inner
	"here: in sub\nup: error 44\ng: error 44\n/work/up: in the root\n",   // ..
	"here: error 44\nup: in the root\ng: error 44\n/work/up: in the root\n",
	"here: in sub\nup: error 44\ng: error 44\n/work/up: in the root\n",  // /work/sub
	"here: error 44\nup: error 44\ng: granted\n/work/up: in the root\n", // /granted
	"here: error 44\nup: error 44\ng: granted\n/work/up: in the root\n", // of Go: still there
}

func seesFrom(folders ...string) string {
	var b strings.Builder
	b.WriteString(seen)
	for i, folder := range folders {
		b.WriteString("chdir " + folder + "\n" + seenFrom[i])
	}
	return b.String()
}

func TestProgramsFindFilesFromTheirWorkingFolder(t *testing.T) {
	for name, test := range map[string]struct {
		program func(*testing.T) engine.Module
		want    string
	}{
		"C": {
			func(t *testing.T) engine.Module {
				return compile(t, compileC(t, "testdata/cfiles/where.c", "wasm32-wasi"))
			},
			seen,
		},
		// To C the working folder is "/", though absolute paths are what they are.
		"C with chdir": {
			func(t *testing.T) engine.Module {
				return compile(t, compileC(t, "testdata/cfiles/where.c", "wasm32-wasi", "-DCHDIR"))
			},
			seesFrom("inner: 0 /inner", "..: 0 /inner/..", "..: 0 /inner/../..", "/work/sub: 0 /work/sub", "/granted: 0 /granted"),
		},
		"Rust": {
			func(t *testing.T) engine.Module {
				return compile(t, compileRust(t, "testdata/rustfiles/where.rs", "wasm32-wasi"))
			},
			seesFrom("inner: Ok(())", "..: Ok(())", "..: Ok(())", "/work/sub: Ok(())", "/granted: Ok(())"),
		},
		"Go": {
			func(t *testing.T) engine.Module { return goProgram(t) },
			"/work/sub <nil>\n" + seesFrom("inner <nil> /work/sub/inner", ".. <nil> /work/sub", ".. <nil> /work",
				"/work/sub <nil> /work/sub", "/granted <nil> /granted", "/ chdir /: Capabilities insufficient /granted"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			config := wasi.Config{Files: whereTree(t), Dir: "/work/sub", Now: newYear, Args: []string{"program", "where"}}
			got := run(t, test.program(t), config)
			if diff := cmp.Diff(strings.Split(test.want, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("it sees something else (-want +got):\n%s", diff)
			}
		})
	}
}
