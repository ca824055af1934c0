package archive

import (
	"archive/tar"
	"archive/zip"
	"io/fs"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// S6.29, S6.30: what is said of which member.
func TestUnsafeTarMembersAreRefused(t *testing.T) {
	long := strings.Repeat("n", 256)
	for name, try := range map[string]struct {
		headers        []tar.Header
		member, reason string
	}{
		"root symlink":           {[]tar.Header{link(".", "a")}, ".", "archive root symlink"},
		"root hard link":         {[]tar.Header{odd(tar.TypeLink, "./")}, "./", "archive root hardlink"},
		"root file":              {[]tar.Header{file(".", "")}, ".", "archive root member must be directory"},
		"root by dots":           {[]tar.Header{file("././.", "x")}, "././.", "archive root member must be directory"},
		"symlink by dots":        {[]tar.Header{link("./.", "a")}, "./.", "symlink member not allowed"},
		"root device":            {[]tar.Header{odd(tar.TypeChar, ".")}, ".", "archive root member must be directory"},
		"drive":                  {[]tar.Header{file("C:/x", "")}, "C:/x", "windows drive path"},
		"drive, no slash":        {[]tar.Header{file("c:x", "")}, "c:x", "windows drive path"},
		"share":                  {[]tar.Header{file("//host/share/x", "")}, "//host/share/x", "windows drive path"},
		"share with back-slash":  {[]tar.Header{file(`\\host\share\x`, "")}, `\\host\share\x`, "windows drive path"},
		"drive before slash":     {[]tar.Header{file(`C:\..\x`, "")}, `C:\..\x`, "windows drive path"},
		"back-slash":             {[]tar.Header{file(`a\b`, "")}, `a\b`, "windows path separator"},
		"back-slash before root": {[]tar.Header{file(`/a\..`, "")}, `/a\..`, "windows path separator"},
		"absolute":               {[]tar.Header{file("/etc/passwd", "")}, "/etc/passwd", "absolute path"},
		"absolute before ..":     {[]tar.Header{file("/../x", "")}, "/../x", "absolute path"},
		"parent":                 {[]tar.Header{file("../x", "")}, "../x", "parent traversal"},
		"inner parent":           {[]tar.Header{file("a/../b", "")}, "a/../b", "parent traversal"},
		"parent at the end":      {[]tar.Header{dir("a/..")}, "a/..", "parent traversal"},
		"parent before type":     {[]tar.Header{link("../l", "a")}, "../l", "parent traversal"},
		"symlink":                {[]tar.Header{link("l", "a")}, "l", "symlink member not allowed"},
		"hard link":              {[]tar.Header{odd(tar.TypeLink, "l")}, "l", "hardlink member not allowed"},
		"character device":       {[]tar.Header{odd(tar.TypeChar, "null")}, "null", "unsupported member type"},
		"block device":           {[]tar.Header{odd(tar.TypeBlock, "sda")}, "sda", "unsupported member type"},
		"FIFO":                   {[]tar.Header{odd(tar.TypeFifo, "pipe")}, "pipe", "unsupported member type"},
		"unknown type":           {[]tar.Header{odd('Z', "z")}, "z", "unsupported member type"},
		"duplicate":              {[]tar.Header{file("e", "1"), file("./e", "2")}, "./e", "duplicate archive path: e"},
		"folder and file":        {[]tar.Header{dir("e/"), file("e", "")}, "e", "duplicate archive path: e"},
		"file and folder":        {[]tar.Header{file("e", ""), dir("e/")}, "e", "duplicate archive path: e"},
		"below a file":           {[]tar.Header{file("a", ""), file("a/b/c", "")}, "a/b/c", "archive path descends through non-directory: a"},
		"below the nearest":      {[]tar.Header{dir("a"), file("a/b", ""), file("a/b/c/d", "")}, "a/b/c/d", "archive path descends through non-directory: a/b"},
		"below a later file":     {[]tar.Header{file("a/b", "x"), file("a/c", "y"), file("a", "")}, "a/b", "archive path descends through non-directory: a"},
		"long name":              {[]tar.Header{file("a/"+long, "")}, "a/" + long, "member name not allowed"},
		"not UTF-8":              {[]tar.Header{{Typeflag: tar.TypeReg, Name: "a\xff", Format: tar.FormatGNU}}, "a\xff", "member name not allowed"},
		"the last of many":       {[]tar.Header{dir("ok"), file("ok/f", "x"), odd(tar.TypeFifo, "p")}, "p", "unsupported member type"},
		"by type before limits":  {[]tar.Header{file("ok", strings.Repeat("x", 2000)), link("l", "a")}, "l", "symlink member not allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			data := makeTar(t, try.headers...)
			tree, err := extract(t, ExtractOptions{Path: "x.tar", Data: data})
			wantMember(t, err, try.member, try.reason)
			wantList(t, tree, "x.tar") // S6.28: nothing is extracted
			if got, err := tree.ReadFile("x.tar"); err != nil || string(got) != string(data) {
				t.Errorf("the archive isn't there: %v", err) // S6.27
			}
		})
	}
}

// S6.29, S6.30
func TestUnsafeZipMembersAreRefused(t *testing.T) {
	symlink := zipFile("l", "target")
	symlink.header.SetMode(fs.ModeSymlink | 0o777)
	method := zipFile("m", "")
	encrypted := zipFile("secret", "x")
	encrypted.header.Flags |= 1
	for name, try := range map[string]struct {
		members        []zipped
		member, reason string
	}{
		"drive":            {[]zipped{zipFile("C:x", "")}, "C:x", "windows drive path"},
		"back-slash":       {[]zipped{zipFile(`a\b`, "")}, `a\b`, "windows path separator"},
		"absolute":         {[]zipped{zipFile("/a", "")}, "/a", "absolute path"},
		"parent":           {[]zipped{zipFile("a/../../b", "")}, "a/../../b", "parent traversal"},
		"symlink":          {[]zipped{symlink}, "l", "link member not allowed"},
		"duplicate":        {[]zipped{zipFile("e", "1"), zipFile("./e", "2")}, "./e", "duplicate archive path: e"},
		"folder and file":  {[]zipped{zipFile("e/", ""), zipFile("e", "")}, "e", "duplicate archive path: e"},
		"below a file":     {[]zipped{zipFile("a", ""), zipFile("a/b", "")}, "a/b", "archive path descends through non-directory: a"},
		"above a file":     {[]zipped{zipFile("a/b", ""), zipFile("a", "")}, "a/b", "archive path descends through non-directory: a"},
		"duplicates first": {[]zipped{zipFile("a", ""), zipFile("a/b", ""), zipFile("c", ""), zipFile("c", "")}, "c", "duplicate archive path: c"},
		"in order":         {[]zipped{zipFile("a", ""), zipFile("c", ""), zipFile("c/d", ""), zipFile("a/b", "")}, "c/d", "archive path descends through non-directory: c"},
		"NUL":              {[]zipped{zipFile("a\x00b", "")}, "a\x00b", "member name not allowed"},
		"encrypted":        {[]zipped{zipFile("ok", "x"), encrypted}, "secret", "encrypted member not supported"},
		"method":           {[]zipped{zipFile("ok", "x"), method}, "m", "compression method not supported"},
	} {
		t.Run(name, func(t *testing.T) {
			data := makeZip(t, try.members...)
			if name == "method" {
				data[strings.LastIndex(string(data), "PK\x01\x02")+10] = 12 // bzip2
			}
			tree, err := extract(t, ExtractOptions{Path: "x.zip", Data: data})
			wantMember(t, err, try.member, try.reason)
			wantList(t, tree, "x.zip")
		})
	}
}

// Folders may come twice, names may differ in case only, and be of any script.
func TestTwinsThatAreNone(t *testing.T) {
	want := []string{"A=2", "Straße=4", "a=1", "d/", "d/日本=3", "e\u0301=6", "é=5"}
	tree, err := extract(t, ExtractOptions{Path: "x.tar", Data: makeTar(t, dir("./"), file("a", "1"), file("A", "2"), dir("d"), dir("d/"), dir("./d"),
		file("d/日本", "3"), file("Straße", "4"), file("é", "5"), file("e\u0301", "6"))})
	if err != nil {
		t.Fatal(err)
	}
	wantList(t, tree, "x.tar", want...)
	tree, err = extract(t, ExtractOptions{Path: "x.zip", Data: makeZip(t, zipFile("./", ""), zipFile("a", "1"), zipFile("A", "2"), zipFile("d/", ""), zipFile("d/", ""),
		zipFile("d/日本", "3"), zipFile("Straße", "4"), zipFile("é", "5"), zipFile("e\u0301", "6"))})
	if err != nil {
		t.Fatal(err)
	}
	wantList(t, tree, "x.zip", want...)
}

// Names without the mark of UTF-8 are of the old code page, unless they are UTF-8.
func TestOldNamesInZips(t *testing.T) {
	old := zipped{zip.FileHeader{Name: "gr\x81n", NonUTF8: true}, "1"}
	unmarked := zipped{zip.FileHeader{Name: "grün2", NonUTF8: true}, "2"}
	tree, err := extract(t, ExtractOptions{Path: "x.zip", Data: makeZip(t, old, unmarked)})
	if err != nil {
		t.Fatal(err)
	}
	wantList(t, tree, "x.zip", "grün=1", "grün2=2")
}

func TestLongNames(t *testing.T) {
	part := strings.Repeat("n", 255)
	name := strings.Repeat(part+"/", 15) // 3840 bytes
	fits := name + strings.Repeat("f", 4095-len("/workspace/")-len(name))
	for _, format := range []tar.Format{tar.FormatPAX, tar.FormatGNU} {
		h := file(fits, "x")
		h.PAXRecords, h.Size, h.Format = nil, 0, format
		tree, err := extract(t, ExtractOptions{Path: "x.tar", Data: makeTar(t, h)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tree.Stat(fits); err != nil {
			t.Error(err)
		}
		h.Name += "f"
		_, err = extract(t, ExtractOptions{Path: "x.tar", Data: makeTar(t, h)})
		wantMember(t, err, h.Name, "member name not allowed")
		if wantErr := workspace.ENAMETOOLONG; !isErr(err, wantErr) {
			t.Errorf("%v isn't %v", err, wantErr)
		}
	}
}
