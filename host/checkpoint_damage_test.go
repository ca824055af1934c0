package host_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// keptFile is a file with all that there can be, and how to read it.
func keptFile(t testing.TB) (file []byte, steps []host.Step, opts []host.Option) {
	t.Helper()
	module, err := host.Load(context.Background(), "guest", kitchenWasm(t, "c"))
	if err != nil {
		t.Fatal(err)
	}
	count, err := module.Responder("count")
	if err != nil {
		t.Fatal(err)
	}
	steps = times(4, host.Step{Method: host.MethodExec, Outcome: host.Respond(count)})
	steps = append([]host.Step{{Method: host.MethodRead, Outcome: host.Fail(fmt.Errorf("no: %w", io.EOF))}}, steps...)
	w := host.Workspace{Seed: seeded(map[string]string{"d/a": "first", "link": "-> d"})}
	s, err := host.NewScripted(steps, host.WithWorkspace(w))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close(context.Background()) }()
	ctx := context.Background()
	_, _ = s.Read(ctx, host.ReadRequest{Path: "x"})
	_, _ = s.Exec(ctx, host.ExecRequest{Command: []string{"a"}})
	_ = s.Write(ctx, host.WriteRequest{Path: "b", Data: strings.NewReader("text")})
	_ = s.Rm(ctx, host.RmRequest{Path: "nothing"})
	if err := s.Workspace().Link("d/a", "same"); err != nil {
		t.Fatal(err)
	}
	c, err := s.Checkpoint(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return written(t, c), steps, []host.Option{host.WithWorkspace(w)}
}

func TestDamagedFilesAreRefused(t *testing.T) {
	file, steps, opts := keptFile(t)
	read := func(b []byte) error {
		_, err := host.ReadCheckpoint(t.Context(), bytes.NewReader(b), steps, opts...)
		return err
	}
	for at := range file {
		wantCheckpointError(t, read(file[:at]), host.CheckpointTruncated, "")
		damaged := bytes.Clone(file)
		damaged[at] ^= 0x81
		c, err := host.ReadCheckpoint(t.Context(), bytes.NewReader(damaged), steps, opts...)
		switch { // some bits mean nothing, such as the last ones of what was compressed
		case err != nil && !isCheckpointError(err):
			t.Errorf("flipped at %d: %v", at, err)
		case err == nil && !bytes.Equal(written(t, c), file):
			t.Errorf("flipped at %d: it was read as another one", at)
		}
	}
	wantCheckpointError(t, read(append(bytes.Clone(file), 0)), host.CheckpointMalformed, "after its end")
	wantCheckpointError(t, read([]byte("version: 1\nsteps: []\n")), host.CheckpointMalformed, "")
	wantCheckpointError(t, read(slices.Concat(file, file)), host.CheckpointMalformed, "after its end")
	_, err := host.ReadCheckpoint(t.Context(), nil, steps, opts...)
	wantCheckpointError(t, err, host.CheckpointTruncated, "")
}

func isCheckpointError(err error) bool { return errors.As(err, new(*host.CheckpointError)) }

// Errors of the reader and the context are theirs.
func TestAReaderThatFailsIsNoDamage(t *testing.T) {
	file, steps, opts := keptFile(t)
	broken := errors.New("broken")
	source := io.MultiReader(bytes.NewReader(file[:len(file)/2]), iotest.ErrReader(broken))
	if _, err := host.ReadCheckpoint(t.Context(), source, steps, opts...); err != broken {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := host.ReadCheckpoint(ctx, bytes.NewReader(file), steps, opts...); err != context.Canceled {
		t.Errorf("%v", err)
	}
	panics := readerFunc(func([]byte) (int, error) { panic("reader") })
	_, err := host.ReadCheckpoint(t.Context(), panics, steps, opts...)
	wantError[*host.PanicError](t, err)
	if _, err := host.ReadCheckpoint(t.Context(), iotest.OneByteReader(bytes.NewReader(file)), steps, opts...); err != nil {
		t.Error(err)
	}
	c := readBack(t, file, steps, opts...)
	if _, err := c.WriteTo(writerFunc(func([]byte) (int, error) { return 0, broken })); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// A part is a member of an archive.
type part struct {
	tar.Header
	data string
}

// unpack gives the members of a file, and pack makes a file of members.
func unpack(t testing.TB, file []byte) (parts []part) {
	t.Helper()
	packed, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(packed); ; {
		header, err := r.Next()
		if err == io.EOF {
			return parts
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part{*header, string(data)})
	}
}

func pack(t testing.TB, parts []part) []byte {
	t.Helper()
	file, err := packed(parts)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func packed(parts []part) ([]byte, error) {
	var file bytes.Buffer
	packed, _ := gzip.NewWriterLevel(&file, gzip.BestSpeed)
	w := tar.NewWriter(packed)
	for _, p := range parts {
		p.Size = int64(len(p.data))
		if err := w.WriteHeader(&p.Header); err != nil {
			return nil, err
		}
		if _, err := io.WriteString(w, p.data); err != nil {
			return nil, err
		}
	}
	err := errors.Join(w.Close(), packed.Close())
	return file.Bytes(), err
}

// A tampering is a change to the members of an archive.
type tampering func(testing.TB, []part) []part

// inContent replaces something in the content of a member.
func inContent(member, before, after string) tampering {
	return func(t testing.TB, parts []part) []part {
		for i := range parts {
			if parts[i].Name != member {
				continue
			}
			if !strings.Contains(parts[i].data, before) {
				t.Errorf("%s has no %s:\n%s", member, before, parts[i].data)
			}
			parts[i].data = strings.Replace(parts[i].data, before, after, 1)
		}
		return parts
	}
}

func inIndex(before, after string) tampering   { return inContent("checkpoint.json", before, after) }
func inHistory(before, after string) tampering { return inContent("history.jsonl", before, after) }

// inMember changes a member as a whole.
func inMember(member string, how func(*part)) tampering {
	return func(_ testing.TB, parts []part) []part {
		for i := range parts {
			if parts[i].Name == member {
				how(&parts[i])
			}
		}
		return parts
	}
}

// rootMembers is where the names of the workspace's members begin.
const rootMembers = "files/workspace/"

// impossible are files that are whole, but say what can't be.
var impossible = map[string]struct {
	change tampering
	kind   host.CheckpointErrorKind
}{

	"no member":                 {func(testing.TB, []part) []part { return nil }, host.CheckpointMalformed},
	"a member less":             {func(_ testing.TB, parts []part) []part { return parts[:len(parts)-1] }, host.CheckpointMalformed},
	"a member more":             {func(_ testing.TB, parts []part) []part { return append(parts, parts[0]) }, host.CheckpointMalformed},
	"members in another order":  {func(_ testing.TB, parts []part) []part { parts[2], parts[3] = parts[3], parts[2]; return parts }, host.CheckpointMalformed},
	"a later version":           {inIndex(`"version": 1`, `"version": 2`), host.CheckpointWrongVersion},
	"no version":                {inIndex(`"version": 1`, `"version": "1"`), host.CheckpointMalformed},
	"another format":            {inIndex(`wasmsandbox checkpoint`, `other`), host.CheckpointMalformed},
	"a field that isn't known":  {inIndex(`"next"`, `"more": 1, "next"`), host.CheckpointMalformed},
	"two indexes":               {func(_ testing.TB, parts []part) []part { parts[0].data += "{}"; return parts }, host.CheckpointMalformed},
	"more steps consumed":       {inIndex(`"next": 2`, `"next": 3`), host.CheckpointMalformed},
	"steps that there aren't":   {inIndex(`"next": 2`, `"next": 300`), host.CheckpointMalformed},
	"steps below zero":          {inIndex(`"next": 2`, `"next": -2`), host.CheckpointMalformed},
	"more calls":                {inIndex(`"calls": 4`, `"calls": 4000000000000`), host.CheckpointMalformed},
	"less calls":                {inIndex(`"calls": 4`, `"calls": 3`), host.CheckpointMalformed},
	"negative fuel":             {inIndex(`"fuel": `, `"fuel": -`), host.CheckpointMalformed},
	"a time that can't be":      {inIndex(`"start_time_ns": 0`, `"start_time_ns": 1000000000`), host.CheckpointMalformed},
	"a refused visible method":  {inIndex(`"running"`, `"refused": {"exec": 1}, "running"`), host.CheckpointMalformed},
	"a refused unknown method":  {inIndex(`"running"`, `"refused": {"fly": 1}, "running"`), host.CheckpointMalformed},
	"a path that escapes":       {inIndex(`"running"`, `"persist_skip_paths": ["../x"], "running"`), host.CheckpointMalformed},
	"a guest of no module":      {inIndex(`"module": 0,`+"\n"+`      "open"`, `"module": 9,`+"\n"+`      "open"`), host.CheckpointMalformed},
	"a dead guest is open":      {inIndex(`"open": true`, `"open": true, "dead": {"kind": "guest", "guest": {"kind": "trap", "module": "", "call": 0}}`), host.CheckpointMalformed},
	"a death that is none":      {inIndex(`"open": true`, `"open": false, "dead": {"kind": "standard", "text": "eof"}`), host.CheckpointMalformed},
	"no workspace":              {inIndex(`"workspace": {`, `"workspace": null, "abi": "", "x": {`), host.CheckpointMalformed},
	"too many files":            {inIndex(`"entries": 7`, `"entries": 8`), host.CheckpointMalformed},
	"too few files":             {inIndex(`"entries": 7`, `"entries": 6`), host.CheckpointMalformed},
	"a terminal below zero":     {inIndex(`"started"`, `"last_terminal": -1, "started"`), host.CheckpointMalformed},
	"an inode of the future":    {inIndex(`"last_inode": `, `"last_inode": 0`), host.CheckpointMalformed},
	"a call that isn't one":     {inHistory(`"call":"`, `"call":"AAAA`), host.CheckpointMalformed},
	"an answer that isn't one":  {inHistory(`"answer":"step"`, `"answer":"luck"`), host.CheckpointMalformed},
	"a step that wasn't next":   {inHistory(`"next":1`, `"next":2`), host.CheckpointMalformed},
	"a step from nowhere":       {inHistory(`"next":0`, `"next":-1`), host.CheckpointMalformed},
	"an unknown error":          {inHistory(`"kind":"scripted"`, `"kind":"strange"`), host.CheckpointMalformed},
	"an error of another call":  {inHistory(`"kind":"scripted"`, `"kind":"rejected","call":77`), host.CheckpointMalformed},
	"a record that isn't JSON":  {inHistory(`{`, `{{`), host.CheckpointMalformed},
	"a record twice":            {func(_ testing.TB, parts []part) []part { parts[1].data += parts[1].data; return parts }, host.CheckpointMalformed},
	"a damaged memory":          {inContent("guests/0/memory", "state", "stale"), host.CheckpointMalformed},
	"a damaged world":           {inContent("guests/0/world", "world", "moon!"), host.CheckpointMalformed},
	"a device":                  {inMember(rootMembers+"b", func(p *part) { p.Typeflag = tar.TypeFifo; p.data = "" }), host.CheckpointMalformed},
	"a file with a wild mode":   {inMember(rootMembers+"b", func(p *part) { p.Mode = 0o17777 }), host.CheckpointMalformed},
	"a file without a number":   {inMember(rootMembers+"b", func(p *part) { delete(p.PAXRecords, "WASMSANDBOX.inode") }), host.CheckpointMalformed},
	"a file from outside":       {inMember(rootMembers+"b", func(p *part) { p.Name = "other/b" }), host.CheckpointMalformed},
	"a path that leads out":     {inMember(rootMembers+"b", func(p *part) { p.Name = rootMembers + "../../b" }), host.CheckpointMalformed},
	"a name of nothing":         {inMember(rootMembers+"same", func(p *part) { p.Linkname = rootMembers + "none" }), host.CheckpointMalformed},
	"a name of something else":  {inMember(rootMembers+"same", func(p *part) { p.Linkname = rootMembers + "b" }), host.CheckpointMalformed},
	"a member that is a folder": {inMember("history.jsonl", func(p *part) { p.Typeflag, p.data = tar.TypeDir, "" }), host.CheckpointMalformed},
}

func TestFilesOfNoSessionAreRefused(t *testing.T) {
	file, steps, opts := keptFile(t)
	for name, test := range impossible {
		t.Run(name, func(t *testing.T) {
			changed := pack(t, test.change(t, unpack(t, file)))
			_, err := host.ReadCheckpoint(t.Context(), bytes.NewReader(changed), steps, opts...)
			wantCheckpointError(t, err, test.kind, "")
		})
	}
	if _, err := host.ReadCheckpoint(t.Context(), bytes.NewReader(pack(t, unpack(t, file))), steps, opts...); err != nil {
		t.Errorf("packed again: %v", err)
	}
	limited := host.WithWorkspace(host.Workspace{Limits: workspace.Limits{Bytes: 3}})
	_, err := host.ReadCheckpoint(t.Context(), bytes.NewReader(file), steps, limited)
	wantCheckpointError(t, err, host.CheckpointOtherScript, "bytes")
}

// A small file that becomes a large one is refused before it has taken much.
func TestAFileCantUnpackToMoreThanThereMayBe(t *testing.T) {
	const most = 64 << 20 // of an index
	zeros := make([]byte, most+1<<20)
	for name, size := range map[string]int64{"as large as it says": most + 1<<20, "larger than there is": 100 * host.MaxCheckpoint} {
		var file bytes.Buffer
		packed, _ := gzip.NewWriterLevel(&file, gzip.BestSpeed)
		w := tar.NewWriter(packed)
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "checkpoint.json", Size: size}); err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write(zeros)
		_ = packed.Close()
		if file.Len() > most/100 {
			t.Errorf("%s: the file has %d bytes", name, file.Len())
		}
		_, err := host.ReadCheckpoint(t.Context(), &file, nil)
		wantCheckpointError(t, err, host.CheckpointTooLarge, "")
	}
}

func FuzzCheckpointFile(f *testing.F) {
	file, steps, opts := keptFile(f)
	for _, p := range unpack(f, file) {
		f.Add(p.Name, []byte(p.data))
	}
	f.Add("", file)
	f.Fuzz(func(t *testing.T, member string, data []byte) {
		if member != "" { // one member of a file is another
			parts := unpack(t, file)
			for i := range parts {
				if parts[i].Name == member && parts[i].Typeflag == tar.TypeReg {
					parts[i].data = string(data)
				}
			}
			data = pack(t, parts)
		}
		c, err := host.ReadCheckpoint(t.Context(), bytes.NewReader(data), steps, opts...)
		if err != nil {
			if !isCheckpointError(err) {
				t.Errorf("%T: %v", err, err)
			}
			return
		}
		again := written(t, c)
		second := written(t, readBack(t, again, steps, opts...))
		if !bytes.Equal(again, second) {
			t.Error("what was read is written in two ways")
		}
		s, err := c.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		_, _ = s.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}})
		_, _ = s.History(), s.GuestDigests()
		if err := s.Close(context.Background()); err != nil && !errors.As(err, new(*host.GuestError)) {
			t.Error(err)
		}
	})
}
