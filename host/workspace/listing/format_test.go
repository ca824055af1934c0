package listing_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/listing"
)

func at(text string) int64 {
	moment, err := time.Parse(time.DateTime, text)
	if err != nil {
		panic(err)
	}
	return moment.UnixNano()
}

func sample() []listing.Entry {
	modified := at("2000-01-01 00:00:00")
	return []listing.Entry{
		{Name: ".", Mode: fs.ModeDir | 0o755, Links: 12, Owner: "root", Group: "wheel", Size: 4096, Modified: modified},
		{Name: "..", Mode: fs.ModeDir | fs.ModeSticky | 0o777, Links: 2, Owner: "root", Group: "root", Size: 4096, Modified: modified},
		{Name: "a b", Mode: 0o644, Links: 1, Owner: "jürgen", Group: "", Size: 123456, Modified: at("2000-10-20 13:05:59")},
		{Name: "link", Mode: fs.ModeSymlink | 0o777, Links: 1, Owner: "root", Group: "wheel", Size: 3, Modified: modified, Target: "a b"},
		{Name: "null", Mode: fs.ModeDevice | fs.ModeCharDevice | 0o666, Links: 1, Owner: "root", Group: "root", Modified: modified},
		{Name: "pipe", Mode: fs.ModeNamedPipe | 0o600, Links: 1, Owner: "root", Group: "root", Modified: modified},
		{Name: "run", Mode: fs.ModeSetuid | fs.ModeSetgid | 0o654, Links: 1, Owner: "root", Group: "root", Size: 1, Modified: modified},
	}
}

func TestFormatPrintsAsLsDoes(t *testing.T) {
	got := listing.Format(sample(), listing.Options{Total: true, Now: at("2001-01-01 00:00:00")})
	want := strings.TrimPrefix(`
total 136
drwxr-xr-x 12 root   wheel   4096 Jan  1  2000 .
drwxrwxrwt  2 root   root    4096 Jan  1  2000 ..
-rw-r--r--  1 jürgen ?     123456 Oct 20 13:05 a b
lrwxrwxrwx  1 root   wheel      3 Jan  1  2000 link -> a b
crw-rw-rw-  1 root   root    0, 0 Jan  1  2000 null
prw-------  1 root   root       0 Jan  1  2000 pipe
-rwSr-sr--  1 root   root       1 Jan  1  2000 run
`, "\n")
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("the listing differs (-want +got):\n%s", diff)
	}
}

func TestFormatOfNothing(t *testing.T) {
	if got := listing.Format(nil, listing.Options{}); len(got) != 0 {
		t.Errorf("it is %q", got)
	}
	if got := string(listing.Format(nil, listing.Options{Total: true})); got != "total 0\n" {
		t.Errorf("with a total it is %q", got)
	}
}

func TestFilesOfTheLastHalfYearHaveATimeOfDay(t *testing.T) {
	now := at("2000-07-02 02:54:36") // half a mean year after 1 January
	for _, test := range []struct{ name, modified, want string }{
		{"now", "2000-07-02 02:54:36", "Jul  2 02:54"},
		{"within half a year", "2000-01-01 12:00:01", "Jan  1 12:00"},
		{"half a year ago", "2000-01-01 00:00:00", "Jan  1  2000"},
		{"to come", "2000-07-02 02:54:37", "Jul  2  2000"},
		{"long ago", "1969-12-31 23:59:59", "Dec 31  1969"},
	} {
		entries := []listing.Entry{{Name: "a", Links: 1, Modified: at(test.modified)}}
		got := string(listing.Format(entries, listing.Options{Now: now}))
		if want := "---------- 1 ? ? 0 " + test.want + " a\n"; got != want {
			t.Errorf("%s: %q, want %q", test.name, got, want)
		}
	}
}

func TestParseReadsWhatFormatPrints(t *testing.T) {
	got, err := listing.Parse(listing.Format(sample(), listing.Options{Total: true}), "/w")
	want := []abi.FileEntry{
		{Path: "/w/a b", Permissions: 0o644, Owner: "jürgen", Group: "?", Size: 123456},
		{Path: "/w/link", Permissions: 0o777, Owner: "root", Group: "wheel", Size: 3, Kind: abi.FileKindSymlink},
		{Path: "/w/null", Permissions: 0o666, Owner: "root", Group: "root", Kind: abi.FileKindOther},
		{Path: "/w/pipe", Permissions: 0o600, Owner: "root", Group: "root", Kind: abi.FileKindOther},
		{Path: "/w/run", Permissions: 0o654, Owner: "root", Group: "root", Size: 1},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("the entries differ (%v; -want +got):\n%s", err, diff)
	}
}

// many are the entries of a folder with n files.
func many(n int) []listing.Entry {
	entries := make([]listing.Entry, n)
	for i := range entries {
		entries[i] = listing.Entry{
			Name: fmt.Sprintf("file-%d.txt", i), Mode: 0o644, Links: 1, Owner: "user", Group: "users", Size: int64(i),
		}
	}
	return entries
}

func BenchmarkParse(b *testing.B) {
	output := listing.Format(many(10_000), listing.Options{Total: true})
	b.SetBytes(int64(len(output)))
	b.ReportAllocs()
	for b.Loop() {
		if entries, err := listing.Parse(output, "/workspace"); err != nil || len(entries) != 10_000 {
			b.Fatal(len(entries), err)
		}
	}
}

func BenchmarkFormat(b *testing.B) {
	entries := many(10_000)
	b.ReportAllocs()
	for b.Loop() {
		if output := listing.Format(entries, listing.Options{Total: true}); bytes.Count(output, []byte("\n")) != 10_001 {
			b.Fatal("it has other lines")
		}
	}
}
