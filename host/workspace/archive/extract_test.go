package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func isErr(err, target error) bool { return errors.Is(err, target) }

// S6.24
func TestTheSchemeIsSaidOrTheSuffix(t *testing.T) {
	data := map[string][]byte{SchemeTar: makeTar(t, file("a", "tar")), SchemeZip: makeZip(t, zipFile("a", "zip"))}
	for _, try := range []struct{ path, explicit, want string }{
		{"x.tar", "", "tar"}, {"x.zip", "", "zip"}, {"d/x.y.tar", "", "tar"}, {"x.tar", "zip", "zip"}, {"x", "tar", "tar"},
		{"x.tar.gz", "tar", "tar"}, {"..tar", "", "tar"}, {"x.tar/", "", "tar"}, {"x.tar/.", "", "tar"},
		{"x", "", "!"}, {"x.tar.gz", "", "!gz"}, {"x.TAR", "", "!TAR"}, {"x.rar", "", "!rar"}, {".tar", "", "!"}, {"x.", "", "!"},
		{"d.tar/x", "", "!"}, {"x.tar", "rar", "!rar"}, {"x.tar", "TAR", "!TAR"}, {"..", "", "!"}, {"", "", "!"}, {"/", "", "!"},
	} {
		tree, err := extract(t, ExtractOptions{Path: try.path, Scheme: try.explicit, Data: data[try.want]})
		if want, wrong := strings.CutPrefix(try.want, "!"); wrong {
			var scheme *SchemeError
			if !errors.As(err, &scheme) || scheme.Path != try.path || scheme.Scheme != want {
				t.Errorf("%q as %q: %v, want the scheme %q refused", try.path, try.explicit, err, want)
			}
			wantList(t, tree, "")
			continue
		}
		if err != nil {
			t.Errorf("%q as %q: %v", try.path, try.explicit, err)
		}
	}
}

// S6.23: what is wrong first is said, though all else is wrong as well.
func TestTheOrderOfChecks(t *testing.T) {
	unread := iotest.ErrReader(errors.New("it was read"))
	_, err := extract(t, ExtractOptions{Path: "../x.rar", Reader: unread, Limits: Limits{MaxMembers: -1}})
	var limit *LimitValueError
	if !errors.As(err, &limit) || limit.Field != "max_members" || limit.Value != -1 {
		t.Errorf("limits: %v", err)
	}
	_, err = extract(t, ExtractOptions{Path: "../x.rar", Reader: unread})
	var scheme *SchemeError
	if !errors.As(err, &scheme) {
		t.Errorf("scheme: %v", err)
	}
	_, err = extract(t, ExtractOptions{Path: "../x.tar", Reader: unread})
	var escape *workspace.EscapeError
	if !errors.As(err, &escape) {
		t.Errorf("path: %v", err)
	}
	policy, err := workspace.NewPolicy("", workspace.Grant{Path: "/ro", ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	err = Extract(context.Background(), workspace.New(workspace.Config{Policy: policy}), ExtractOptions{Path: "/ro/x.tar", Reader: unread})
	var readOnly *workspace.ReadOnlyError
	if !errors.As(err, &readOnly) {
		t.Errorf("read-only path: %v", err)
	}
	tree, err := extract(t, ExtractOptions{Path: "x.tar", Reader: unread})
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) {
		t.Errorf("data: %v", err)
	}
	wantList(t, tree, "")
}

// S6.26: the actual size is known in chunks of 8 KiB.
func TestTooMuchInputIsRefusedBeforeAnythingIsWritten(t *testing.T) {
	for _, try := range []struct{ limit, size, actual int64 }{
		{1, 2, 2}, {100, 20_000, 8192}, {8191, 8192, 8192}, {8192, 20_000, 16384}, {8193, 20_000, 16384}, {8192, 8193, 8193}, {16384, 20_000, 20_000},
	} {
		data := make([]byte, try.size)
		for name, o := range map[string]ExtractOptions{
			"bytes": {Data: data}, "buffer": {Reader: bytes.NewBuffer(data)}, "stream": {Reader: iotest.HalfReader(bytes.NewReader(data))},
		} {
			o.Path, o.Limits = "d/x.tar", Limits{MaxInputBytes: try.limit}
			tree, err := extract(t, o)
			var limit *LimitError
			if !errors.As(err, &limit) {
				t.Fatalf("%s: %v", name, err)
			}
			want := map[string]any{"path": "/workspace/d/x.tar", "reason": "archive input size exceeds limit", "limit": try.limit, "actual": try.actual}
			if got := limit.Context(); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
			wantList(t, tree, "")
		}
	}
	data := makeTar(t, file("a", "x"))
	if _, err := extract(t, ExtractOptions{Path: "x.tar", Data: data, Limits: Limits{MaxInputBytes: int64(len(data))}}); err != nil {
		t.Errorf("as much as the limit: %v", err)
	}
}

func TestInputIsBoundByTheWorkspaceAsWell(t *testing.T) {
	tree := newTree(t, workspace.Limits{Bytes: 10_000})
	err := Extract(context.Background(), tree, ExtractOptions{Path: "x.tar", Reader: endless{}, Limits: DefaultLimits()})
	var limit *LimitError
	if !errors.As(err, &limit) || limit.Limit != 10_000 || limit.Actual != 16384 || !errors.Is(err, workspace.ENOSPC) {
		t.Errorf("%v", err)
	}
	wantList(t, tree, "")
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// S6.31
func TestLimitsAreCheckedMemberByMember(t *testing.T) {
	headers := []tar.Header{dir("d"), file("d/a", "12345"), file("b", "67890"), file("./b", "")}
	members := []zipped{zipFile("d/", ""), zipFile("d/a", "12345"), zipFile("b", "67890"), zipFile("./b", "")}
	for name, try := range map[string]struct {
		limits        Limits
		member        string
		reason        Reason
		limit, actual int64
	}{
		"members":                {Limits{MaxMembers: 2}, "b", ReasonMembers, 2, 3},
		"bytes":                  {Limits{MaxExtractedBytes: 9}, "b", ReasonExtractedBytes, 9, 10},
		"members before bytes":   {Limits{MaxMembers: 2, MaxExtractedBytes: 9}, "b", ReasonMembers, 2, 3},
		"bytes before members":   {Limits{MaxMembers: 2, MaxExtractedBytes: 4}, "d/a", ReasonExtractedBytes, 4, 5},
		"before the duplicate":   {Limits{MaxMembers: 3}, "./b", ReasonMembers, 3, 4},
		"not the root, d counts": {Limits{MaxMembers: 1}, "d/a", ReasonMembers, 1, 2},
	} {
		for path, data := range map[string][]byte{
			"x.tar": makeTar(t, append([]tar.Header{dir("./")}, headers...)...),
			"x.zip": makeZip(t, append([]zipped{zipFile("./", "")}, members...)...),
		} {
			tree, err := extract(t, ExtractOptions{Path: path, Data: data, Limits: try.limits})
			var limit *LimitError
			if !errors.As(err, &limit) {
				t.Errorf("%s of %s: %v", name, path, err)
				continue
			}
			want := LimitError{Path: "/workspace/" + path, Member: try.member, Reason: try.reason, Limit: try.limit, Actual: try.actual}
			if *limit != want {
				t.Errorf("%s of %s: %v, want %v", name, path, *limit, want)
			}
			wantList(t, tree, path)
		}
	}
}

// S6.23, S6.27, S6.33
func TestItIsUnpackedBesideTheArchive(t *testing.T) {
	h := file("bin/run.sh", "#!")
	h.Mode = 0o4777
	for path, data := range map[string][]byte{
		"new/sub/x.tar": makeTar(t, dir("empty"), h, file("a", "1"), file("a.txt", "2")),
		"new/sub/x.zip": makeZip(t, zipFile("empty/", ""), zipFile("bin/run.sh", "#!"), zipFile("a", "1"), zipFile("a.txt", "2")),
	} {
		for name, o := range map[string]ExtractOptions{"bytes": {Data: data}, "stream": {Reader: iotest.OneByteReader(bytes.NewReader(data))}} {
			o.Path = path
			tree, err := extract(t, o)
			if err != nil {
				t.Fatal(name, err)
			}
			wantList(t, tree, path, "new/", "new/sub/", "new/sub/a=1", "new/sub/a.txt=2", "new/sub/bin/", "new/sub/bin/run.sh=#!", "new/sub/empty/")
			info, err := tree.Stat("new/sub/bin/run.sh")
			if err != nil || info.Mode != workspace.DefaultFileMode {
				t.Errorf("%s: the mode is %v, %v", name, info.Mode, err)
			}
			if got, err := tree.ReadFile(path); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s: the archive isn't there: %v", name, err)
			}
		}
	}
}

func TestFilesThatAreThereAreReplaced(t *testing.T) {
	tree := newTree(t, workspace.Limits{})
	must(t, tree.WriteFile("a", []byte("old"), 0o755))
	must(t, tree.Mkdir("d", 0o700))
	must(t, tree.WriteFile("d/b", []byte("kept"), 0))
	must(t, Extract(context.Background(), tree, ExtractOptions{Path: "x.tar", Data: makeTar(t, file("a", "new"), dir("d"), file("d/c", "more"), file("x.tar", "itself"))}))
	wantList(t, tree, "", "a=new", "d/", "d/b=kept", "d/c=more", "x.tar=itself")
	if info, _ := tree.Stat("a"); info.Mode != 0o755 {
		t.Errorf("the mode is %v", info.Mode)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// S6.32
func TestExtractionStopsAtSymlinks(t *testing.T) {
	for name, try := range map[string]struct {
		link, target string
		member       string
	}{
		"a parent":               {"sub", "elsewhere", "sub/deep/b"},
		"a parent's parent":      {"sub/deep", "../elsewhere", "sub/deep/b"},
		"the file itself":        {"sub/deep/b", "../../elsewhere/f", "sub/deep/b"},
		"one that leads out":     {"sub/deep/b", "/etc/passwd", "sub/deep/b"},
		"one that leads nowhere": {"sub", "nowhere", "sub/deep/b"},
	} {
		for path, data := range map[string][]byte{
			"x.tar": makeTar(t, file("a", "1"), file("sub/deep/b", "2"), file("z", "3")),
			"x.zip": makeZip(t, zipFile("a", "1"), zipFile("sub/deep/b", "2"), zipFile("z", "3")),
		} {
			t.Run(name+" "+path, func(t *testing.T) {
				tree := newTree(t, workspace.Limits{})
				must(t, tree.Mkdir("elsewhere", 0))
				must(t, tree.MkdirAll(try.link+"/..", 0))
				must(t, tree.Symlink(try.target, try.link))
				before := list(tree)
				err := Extract(context.Background(), tree, ExtractOptions{Path: path, Data: data})
				wantMember(t, err, try.member, "symlink in parent path: "+try.link)
				if got, err := tree.ReadFile("a"); err != nil || string(got) != "1" {
					t.Errorf("what came before isn't there: %v", err)
				}
				must(t, tree.Remove("a"))
				must(t, tree.Remove(path))
				wantList(t, tree, "", before...)
			})
		}
	}
}

func TestAFolderBehindASymlinkCanBeUnpackedIn(t *testing.T) {
	tree := newTree(t, workspace.Limits{})
	must(t, tree.Mkdir("real", 0))
	must(t, tree.Symlink("real", "l"))
	must(t, Extract(context.Background(), tree, ExtractOptions{Path: "l/x.tar", Data: makeTar(t, file("d/a", "1"))}))
	wantList(t, tree, "real/x.tar", "l->real", "real/", "real/d/", "real/d/a=1")
}

// What can be told before isn't done by halves.
func TestWhatDoesntFitIsntBegun(t *testing.T) {
	for name, try := range map[string]struct {
		headers []tar.Header
		member  string
		cause   error
	}{
		"a file where a folder is": {[]tar.Header{file("a", "1"), file("folder", "2")}, "folder", workspace.EISDIR},
		"a folder where a file is": {[]tar.Header{file("a", "1"), dir("file")}, "file", workspace.ENOTDIR},
		"a file below a file":      {[]tar.Header{file("a", "1"), file("file/b", "2")}, "file/b", workspace.ENOTDIR},
		"too many bytes":           {[]tar.Header{file("a", "1"), file("b", strings.Repeat("x", 9000))}, "b", workspace.ENOSPC},
		"too many files":           {[]tar.Header{file("a", "1"), file("b", "1"), dir("c/d/e/f/g/h")}, "c/d/e/f/g/h", workspace.ENOSPC},
	} {
		t.Run(name, func(t *testing.T) {
			tree := newTree(t, workspace.Limits{Bytes: 14_000, Files: 8})
			must(t, tree.Mkdir("folder", 0))
			must(t, tree.WriteFile("file", nil, 0))
			err := Extract(context.Background(), tree, ExtractOptions{Path: "x.tar", Data: makeTar(t, try.headers...)})
			if !errors.Is(err, try.cause) {
				t.Errorf("%v isn't %v", err, try.cause)
			}
			var refused *MemberError
			var limit *LimitError
			switch {
			case errors.As(err, &refused) && refused.Member == try.member:
			case errors.As(err, &limit) && limit.Member == try.member && limit.Reason == ReasonWorkspace:
			default:
				t.Errorf("%v, want something of %q", err, try.member)
			}
			wantList(t, tree, "x.tar", "file=", "folder/")
		})
	}
}

func TestAFileThatIsReplacedMakesRoom(t *testing.T) {
	tree := newTree(t, workspace.Limits{Bytes: 10_000})
	must(t, tree.WriteFile("a", make([]byte, 5000), 0))
	must(t, Extract(context.Background(), tree, ExtractOptions{Path: "x.zip", Data: makeZip(t, zipFile("a", strings.Repeat("x", 9000)))}))
}

// A path that is a folder is refused before anything is unpacked.
func TestTheArchiveMustBeWritable(t *testing.T) {
	tree := newTree(t, workspace.Limits{})
	must(t, tree.Mkdir("d.tar", 0))
	must(t, tree.WriteFile("f", nil, 0))
	data := makeTar(t, file("a", "1"))
	for path, want := range map[string]error{"d.tar": workspace.EISDIR, ".": workspace.EISDIR, "f/x.tar": workspace.ENOTDIR} {
		if err := Extract(context.Background(), tree, ExtractOptions{Path: path, Data: data, Scheme: SchemeTar}); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", path, err, want)
		}
	}
	wantList(t, tree, "", "d.tar/", "f=")
}

func TestGrantsCanBeUnpackedIn(t *testing.T) {
	policy, err := workspace.NewPolicy("", workspace.Grant{Path: "/data"})
	must(t, err)
	tree := workspace.New(workspace.Config{Policy: policy})
	must(t, Extract(context.Background(), tree, ExtractOptions{Path: "/data/x.tar", Data: makeTar(t, file("d/a", "1"))}))
	if got, err := tree.ReadFile("/data/d/a"); err != nil || string(got) != "1" {
		t.Errorf("%q, %v", got, err)
	}
	_, err = extract(t, ExtractOptions{Path: "/data/x.tar", Data: makeTar(t, file("d/a", "1"))})
	var escape *workspace.EscapeError
	if !errors.As(err, &escape) {
		t.Errorf("without a grant: %v", err)
	}
}

func TestARootOfAllPathsCanBeUnpackedIn(t *testing.T) {
	policy, err := workspace.NewPolicy("/")
	must(t, err)
	tree := workspace.New(workspace.Config{Policy: policy})
	must(t, Extract(context.Background(), tree, ExtractOptions{Path: "x.tar", Data: makeTar(t, file("d/a", "1"))}))
	wantList(t, tree, "x.tar", "d/", "d/a=1")
}

// S6.34
func TestWhatErrorsSay(t *testing.T) {
	_, err := extract(t, ExtractOptions{Path: "d/x.tar", Data: makeTar(t, file("../é", ""))})
	var refused *MemberError
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	want := map[string]any{"path": "/workspace/d/x.tar", "member": "../é", "reason": "parent traversal"}
	if got := refused.Context(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if text := `unsafe archive member "../é": parent traversal`; err.Error() != text {
		t.Errorf("%q, want %q", err, text)
	}
	_, err = extract(t, ExtractOptions{Path: "d/x.zip", Data: []byte("PK")})
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) || !errors.Is(err, zip.ErrFormat) {
		t.Fatal(err)
	}
	if got, want := corrupt.Context(), map[string]any{"path": "/workspace/d/x.zip"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	_, err = extract(t, ExtractOptions{Path: "x.rar"})
	var scheme *SchemeError
	if !errors.As(err, &scheme) || !reflect.DeepEqual(scheme.Context(), map[string]any{"path": "x.rar", "scheme": "rar"}) {
		t.Error(err)
	}
	_, err = extract(t, ExtractOptions{Path: "x"})
	if !errors.As(err, &scheme) || !reflect.DeepEqual(scheme.Context(), map[string]any{"path": "x"}) {
		t.Error(err)
	}
}

func TestTextsOfErrors(t *testing.T) {
	cause := errors.New("cause")
	for _, try := range []struct {
		err  error
		want string
	}{
		{&MemberError{Member: "a", Reason: ReasonDuplicate, Detail: "b", Err: cause}, `unsafe archive member "a": duplicate archive path: "b": cause`},
		{&LimitError{Member: "a", Reason: ReasonMembers, Limit: 1, Actual: 2, Err: cause}, `archive member count exceeds limit: 2 instead of at most 1 with member "a": cause`},
		{&CorruptError{Err: cause}, "the archive can't be read: cause"},
		{&CorruptError{Member: "a", Err: cause}, `the archive can't be read at member "a": cause`},
		{&SchemeError{Path: "p"}, `the path "p" doesn't say whether the archive is a tar or a zip`},
		{&SchemeError{Path: "p", Scheme: "rar"}, `the archive's scheme must be tar or zip, not "rar"`},
		{&LimitValueError{Field: "max_members", Value: -1}, "max_members must be at least 1, not -1"},
	} {
		if got := try.err.Error(); got != try.want {
			t.Errorf("%q, want %q", got, try.want)
		}
	}
}

// S6.22
func TestTheDefaultLimits(t *testing.T) {
	want := Limits{MaxInputBytes: 1 << 30, MaxExtractedBytes: 4 << 30, MaxMembers: 100_000}
	if got := DefaultLimits(); got != want || got.Validate() != nil {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, bad := range []Limits{{MaxInputBytes: -1}, {MaxExtractedBytes: -1}, {MaxMembers: -1}} {
		if bad.Validate() == nil {
			t.Errorf("%+v is valid", bad)
		}
	}
	if err := (Limits{}).Validate(); err != nil {
		t.Error(err)
	}
}
