package host_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
)

// Where the parts of an encoded memory begin: behind its header and the SHA-256 of the
// module are the pages, the number of the globals, and the globals.
const (
	memoryPages   = len("wasmsandbox state\x01") + sha256.Size
	memoryGlobals = memoryPages + 4
	globalSize    = 1 + 8
)

// inMemory changes the memory of the first guest, and makes its digest right again.
func inMemory(change func([]byte) []byte) tampering {
	return inMember("guests/0/memory", func(p *part) {
		data := change([]byte(p.data[:len(p.data)-sha256.Size]))
		sum := sha256.Sum256(data)
		p.data = string(data) + string(sum[:])
	})
}

func encodedCall(index int, request abi.Request) string {
	call := abi.Call{Index: uint64(index), Request: request}
	return base64.StdEncoding.EncodeToString(call.Append(nil))
}

// forged are files whose digests are right, and that say what can't be. None of them is
// found out later than when it is read.
var forged = map[string]tampering{
	"a global less": inMemory(func(b []byte) []byte {
		b[memoryGlobals]--
		return append(b[:memoryGlobals+1], b[memoryGlobals+1+globalSize:]...)
	}),
	"a global more": inMemory(func(b []byte) []byte {
		b[memoryGlobals]++
		return append(b[:memoryGlobals+1], append(bytes.Clone(b[memoryGlobals+1:][:globalSize]), b[memoryGlobals+1:]...)...)
	}),
	"a global of another type": inMemory(func(b []byte) []byte { b[memoryGlobals+1] ^= 1; return b }),
	"a number that is no global": inMemory(func(b []byte) []byte {
		b[memoryGlobals+1] = 0x70
		return b
	}),
	"more globals than bytes": inMemory(func(b []byte) []byte { b[memoryGlobals] = 0x7f; return b[:memoryGlobals+1] }),
	"no memory":               inMemory(func(b []byte) []byte { return append(b[:memoryPages], withoutMemory(b)...) }),
	"more memory than any has": inMemory(func(b []byte) []byte {
		binary.LittleEndian.PutUint32(b[memoryPages:], 1<<16)
		return b
	}),
	"memory behind its end": inMemory(func(b []byte) []byte {
		binary.LittleEndian.PutUint32(b[memoryPages:], 1)
		return b
	}),
	"a step for another method": inHistory(encodedCall(0, &abi.ReadRequest{Path: "x"}), encodedCall(0, &abi.LsRequest{Path: "x"})),
	"a call of another time":    inHistory(encodedCall(0, &abi.ReadRequest{Path: "x"}), encodedCall(7, &abi.ReadRequest{Path: "x"})),
	"as many refused as can be": inIndex(`"running"`, `"refused": {"pty_write_stdin": 9223372036854775807}, "running"`),
	"the last inode of all":     inIndex(`"last_inode": `, `"last_inode": 1844674407370955161`),
	"a terminal of no table":    inIndex(`"started"`, `"last_terminal": 7, "started"`),
	"the last terminal of all":  inIndex(`"started"`, `"last_terminal": 9223372036854775807, "started"`),
	"a path of nothing":         inIndex(`"running"`, `"persist_skip_paths": [null], "running"`),
	"a path that isn't one":     inIndex(`"running"`, `"persist_skip_paths": [{"base64": "Li4="}], "running"`),
	"a file below a file":       inMember(rootMembers+"same", func(p *part) { p.Name = rootMembers + "b/same" }),
	"a file below a symlink":    inMember(rootMembers+"same", func(p *part) { p.Name = rootMembers + "link/same" }),
	"a link to itself":          inMember(rootMembers+"same", func(p *part) { p.Linkname = p.Name }),
	"a link to a folder":        inMember(rootMembers+"same", func(p *part) { p.Linkname = rootMembers + "d/" }),
	"a root that is a symlink": inMember(rootMembers, func(p *part) {
		p.Typeflag, p.Name, p.Linkname = tar.TypeSymlink, strings.TrimSuffix(rootMembers, "/"), "/"
	}),
	"a path of 5000 bytes": inMember(rootMembers+"b", func(p *part) { p.Name = rootMembers + strings.Repeat("d/", 2500) + "b" }),
}

// withoutMemory is what comes behind the module in the encoding of a state that has no memory.
func withoutMemory(b []byte) []byte {
	globals := b[memoryGlobals:][:1+int(b[memoryGlobals])*globalSize]
	return append(append(make([]byte, 4), globals...), 0)
}

func TestForgedFilesAreRefused(t *testing.T) {
	file, steps, opts := keptFile(t)
	for name, change := range forged {
		t.Run(name, func(t *testing.T) {
			changed := pack(t, change(t, unpack(t, file)))
			if bytes.Equal(changed, pack(t, unpack(t, file))) {
				t.Fatal("nothing was changed")
			}
			_, err := host.ReadCheckpoint(t.Context(), bytes.NewReader(changed), steps, opts...)
			wantCheckpointError(t, err, host.CheckpointMalformed, "")
		})
	}
}

// What a guest has open has to be there.
func TestAGuestsOpenFilesAreInTheFile(t *testing.T) {
	r, _ := newCountingRuntime(t)
	steps, w := times(2, keeperOn(t, r)), host.Workspace{Seed: seeded(map[string]string{"a": "abc"})}
	s := withWorkspace(t, steps, w)
	_ = perform(t, s, "open a")
	parts := unpack(t, written(t, checkpoint(t, s)))
	parts[len(parts)-1].PAXRecords["WASMSANDBOX.inode"] = "1000"
	parts = inIndex(`"last_inode": `, `"last_inode": 1000`)(t, parts)
	_, err := host.ReadCheckpoint(t.Context(), bytes.NewReader(pack(t, parts)), steps, host.WithWorkspace(w))
	wantCheckpointError(t, err, host.CheckpointMalformed, "keeper")
}

// What weighs more in memory than in the file is refused before it is there: lists of
// what is short to write, and is compressed to nearly nothing.
func TestAFileTakesNoMoreMemoryThanItMay(t *testing.T) {
	file, steps, opts := keptFile(t)
	const size, most = 24 << 20, 256 << 20 // of the JSON, and of all that is allocated to read it
	for name, bomb := range map[string]struct{ member, before, begin, piece, end string }{
		"guests":      {"checkpoint.json", `"running":`, `"guests":[`, `{},`, `{}],`},
		"logs":        {"history.jsonl", `"error":`, `"logs":[`, `{},`, `{}],`},
		"causes":      {"history.jsonl", `"kind":"scripted"`, `"wraps":[`, `{},`, `{}],`},
		"differences": {"history.jsonl", `"kind":"scripted"`, `"differences":[`, `{},`, `{}],`},
	} {
		t.Run(name, func(t *testing.T) {
			blown := bomb.begin + strings.Repeat(bomb.piece, size/len(bomb.piece)) + bomb.end
			data := pack(t, inContent(bomb.member, bomb.before, blown+bomb.before)(t, unpack(t, file)))
			wantRefusedWithin(t, most, data, steps, opts...)
		})
	}
}

// A tar can say that there are zeros that aren't in it. They count.
func TestZerosThatArentInAFileCount(t *testing.T) {
	const claimed = host.MaxCheckpoint + 1<<20
	whole := fmt.Sprintf("1\n%d\n1\n", claimed-1) // where its data is: one byte at its end
	whole += strings.Repeat("\x00", 512-len(whole)) + "x"
	file := pack(t, []part{{data: whole, Header: tar.Header{
		Typeflag: tar.TypeReg, Name: "sparse", Format: tar.FormatPAX, PAXRecords: map[string]string{
			"GNX.sparse.major": "1", "GNX.sparse.minor": "0", "GNX.sparse.name": "checkpoint.json",
			"GNX.sparse.realsize": fmt.Sprint(claimed),
		},
	}}})
	packed, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	archive, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	var sparse bytes.Buffer // package tar writes none
	w := gzip.NewWriter(&sparse)
	_, _ = w.Write(bytes.ReplaceAll(archive, []byte("GNX."), []byte("GNU.")))
	_ = w.Close()
	wantRefusedWithin(t, 1<<30, sparse.Bytes(), nil)
}

// wantRefusedWithin makes sure that a file is too large, and that so much memory is enough
// to find out.
func wantRefusedWithin(t *testing.T, most uint64, file []byte, steps []host.Step, opts ...host.Option) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := host.ReadCheckpoint(t.Context(), bytes.NewReader(file), steps, opts...)
	runtime.ReadMemStats(&after)
	wantCheckpointError(t, err, host.CheckpointTooLarge, "")
	if taken := after.TotalAlloc - before.TotalAlloc; taken > most {
		t.Errorf("it took %d MiB", taken>>20)
	}
}
