package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func sampleTar(t testing.TB) []byte {
	return makeTar(t, dir("d"), file("d/a", "some content, some content"), file("b", strings.Repeat("b", 700)))
}

var sampleList = []string{"b=" + strings.Repeat("b", 700), "d/", "d/a=some content, some content"}

// S6.25
func TestTheCompressionIsDetected(t *testing.T) {
	for name, compress := range compressors {
		t.Run(name, func(t *testing.T) {
			tree, err := extract(t, ExtractOptions{Path: "x.tar", Data: compress(t, sampleTar(t))})
			if err != nil {
				t.Fatal(err)
			}
			wantList(t, tree, "x.tar", sampleList...)
		})
	}
}

// S6.27, S6.28: an archive that is cut short anywhere gives an error, and nothing
// but itself. A plain tar may lack its end.
func TestEveryPrefixIsRefused(t *testing.T) {
	for name, compress := range compressors {
		t.Run(name, func(t *testing.T) {
			whole := compress(t, sampleTar(t))
			for size := range whole {
				tree, err := extract(t, ExtractOptions{Path: "x.tar", Data: whole[:size]})
				if err == nil && name == "plain" && size%512 == 0 {
					continue // as all programs see it
				}
				var corrupt *CorruptError
				if !errors.As(err, &corrupt) {
					t.Fatalf("%d of %d bytes: %v", size, len(whole), err)
				}
				if got := list(tree); len(got) != 1 {
					t.Fatalf("%d of %d bytes: the workspace has %q", size, len(whole), got)
				}
			}
		})
	}
	t.Run("zip", func(t *testing.T) {
		whole := makeZip(t, zipFile("d/", ""), zipFile("d/a", "some content, some content"), zipFile("b", strings.Repeat("b", 700)))
		for size := range whole {
			tree, err := extract(t, ExtractOptions{Path: "x.zip", Data: whole[:size]})
			var corrupt *CorruptError
			if !errors.As(err, &corrupt) {
				t.Fatalf("%d of %d bytes: %v", size, len(whole), err)
			}
			if got := list(tree); len(got) != 1 {
				t.Fatalf("%d of %d bytes: the workspace has %q", size, len(whole), got)
			}
		}
	})
}

// Whatever bit is wrong: either it doesn't matter, or nothing is unpacked.
func TestEveryWrongBitIsFoundOrHarmless(t *testing.T) {
	for name, compress := range compressors {
		t.Run(name, func(t *testing.T) {
			whole := compress(t, sampleTar(t))
			for i := 0; i < len(whole)*8; i += 3 {
				data := bytes.Clone(whole)
				data[i/8] ^= 1 << (i % 8)
				tree, err := extract(t, ExtractOptions{Path: "x.tar", Data: data})
				if err != nil && len(list(tree)) != 1 {
					t.Fatalf("bit %d: %v, and the workspace has %q", i, err, list(tree))
				}
				if err == nil && name == "xz" && strings.Join(list(tree, "x.tar"), "\n") != strings.Join(sampleList, "\n") {
					t.Fatalf("bit %d: the workspace has %q", i, list(tree))
				}
			}
		})
	}
}

func TestWhatFollowsTheEndIsIgnored(t *testing.T) {
	for name, compress := range compressors {
		t.Run(name, func(t *testing.T) {
			whole := compress(t, sampleTar(t))
			for _, more := range []string{strings.Repeat("\x00", 10240), "this is no archive, and long enough to tell"} {
				tree, err := extract(t, ExtractOptions{Path: "x.tar", Data: append(bytes.Clone(whole), more...)})
				if err != nil {
					t.Fatalf("%.10q: %v", more, err)
				}
				wantList(t, tree, "x.tar", sampleList...)
			}
		})
	}
	data := append([]byte("#!/bin/sh\n"), makeZip(t, zipFile("a", "1"))...)
	tree, err := extract(t, ExtractOptions{Path: "x.zip", Data: data})
	if err != nil {
		t.Fatal("a zip behind something else: ", err)
	}
	wantList(t, tree, "x.zip", "a=1")
}

// Programs may compress in several streams, one behind the other.
func TestStreamsMayFollowEachOther(t *testing.T) {
	for name, compress := range compressors {
		t.Run(name, func(t *testing.T) {
			whole := sampleTar(t)
			data := append(compress(t, whole[:700]), compress(t, whole[700:])...)
			tree, err := extract(t, ExtractOptions{Path: "x.tar", Data: data})
			if err != nil {
				t.Fatal(err)
			}
			wantList(t, tree, "x.tar", sampleList...)
		})
	}
}

func TestNothingIsNoArchive(t *testing.T) {
	for name, compress := range compressors {
		if name == "bzip2" {
			continue // has no such thing
		}
		_, err := extract(t, ExtractOptions{Path: "x.tar", Data: compress(t, nil)})
		var corrupt *CorruptError
		if !errors.As(err, &corrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if tree, err := extract(t, ExtractOptions{Path: "x.tar", Data: makeTar(t)}); err != nil || len(list(tree)) != 1 {
		t.Errorf("a tar without members: %v", err)
	}
	if tree, err := extract(t, ExtractOptions{Path: "x.zip", Data: makeZip(t)}); err != nil || len(list(tree)) != 1 {
		t.Errorf("a zip without members: %v", err)
	}
}

// A tar of zeros, compressed, is small and would be large.
func TestBombsAreBound(t *testing.T) {
	zeros := makeBomb(t, 16<<20)
	tight := workspace.Limits{Bytes: 1 << 20, Files: 100}
	for name, compress := range compressors {
		if name == "plain" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			data := compress(t, zeros)
			tree := newTree(t, tight)
			err := Extract(context.Background(), tree, ExtractOptions{Path: "x.tar", Data: data})
			var limit *LimitError
			if !errors.As(err, &limit) || limit.Member != "zeros" {
				t.Errorf("%v", err)
			}
			tree = newTree(t, workspace.Limits{})
			err = Extract(context.Background(), tree, ExtractOptions{Path: "x.tar", Data: data, Limits: Limits{MaxExtractedBytes: 1 << 20}})
			if !errors.As(err, &limit) || limit.Reason != ReasonExtractedBytes || limit.Actual != 16<<20 {
				t.Errorf("%v", err)
			}
		})
	}
}

// makeBomb makes a tar of a file with zeros.
func makeBomb(t testing.TB, size int64) []byte {
	var buffer bytes.Buffer
	w := tar.NewWriter(&buffer)
	must(t, w.WriteHeader(&tar.Header{Name: "zeros", Typeflag: tar.TypeReg, Size: size, Mode: 0o644}))
	_, err := io.CopyN(w, endless{}, size)
	must(t, err)
	must(t, w.Close())
	return buffer.Bytes()
}

// Headers without a member go on and on.
func TestAnEndlessStreamWithoutMembersIsBound(t *testing.T) {
	one := makeTar(t, tar.Header{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"comment": strings.Repeat("c", 1<<16)}})
	one = one[:len(one)-1024]
	data := compressors["zstd"](t, bytes.Repeat(one, 400))
	tree := newTree(t, workspace.Limits{Bytes: 1 << 20, Files: 100})
	err := Extract(context.Background(), tree, ExtractOptions{Path: "x.tar", Data: data})
	var limit *LimitError
	if !errors.As(err, &limit) || limit.Reason != ReasonStreamBytes || limit.Limit <= 1<<20 || limit.Actual <= limit.Limit {
		t.Errorf("%v", err)
	}
}

func TestSparseFilesCountWithTheirHoles(t *testing.T) {
	h := tar.Header{Typeflag: tar.TypeReg, Name: "sparse", Size: 0, Mode: 0o644, Format: tar.FormatPAX}
	// Go doesn't write them: this is the old format of GNU tar.
	data := makeTar(t, h)
	data = append(gnuSparse("sparse", 100<<20, []sparseRun{{50 << 20, 3}}, "mid"), data[len(data)-1024:]...)
	tree := newTree(t, workspace.Limits{})
	must(t, Extract(context.Background(), tree, ExtractOptions{Path: "x.tar", Data: data}))
	content, err := tree.ReadFile("sparse")
	must(t, err)
	if len(content) != 100<<20 || string(content[50<<20:50<<20+3]) != "mid" || len(bytes.Trim(content, "\x00")) != 3 {
		t.Errorf("the file has %d bytes", len(content))
	}
	_, err = extract(t, ExtractOptions{Path: "x.tar", Data: data, Limits: Limits{MaxExtractedBytes: 100<<20 - 1}})
	var limit *LimitError
	if !errors.As(err, &limit) || limit.Actual != 100<<20 {
		t.Errorf("%v", err)
	}
	huge := append(gnuSparse("sparse", 7<<30, []sparseRun{{4 << 30, 3}}, "mid"), data[len(data)-1024:]...)
	if _, err = extract(t, ExtractOptions{Path: "x.tar", Data: huge}); !errors.Is(err, workspace.ENOSPC) {
		t.Errorf("7 GiB: %v", err)
	}
}

type sparseRun struct{ offset, length int64 }

// gnuSparse makes a sparse member as GNU tar did.
func gnuSparse(name string, size int64, runs []sparseRun, data string) []byte {
	header := rawHeader('S', name, int64(len(data)))
	for i, run := range runs {
		octal(header[386+i*24:], 12, run.offset)
		octal(header[386+i*24+12:], 12, run.length)
	}
	octal(header[483:], 12, size)
	body := make([]byte, (len(data)+511)/512*512)
	copy(body, data)
	return append(withChecksum(header), body...)
}

// rawHeader makes a header without a checksum, of things that Go doesn't write.
func rawHeader(kind byte, name string, size int64) []byte {
	header := make([]byte, 512)
	copy(header, name)
	octal(header[100:], 8, 0o644)
	octal(header[108:], 8, 0)
	octal(header[116:], 8, 0)
	octal(header[124:], 12, size)
	octal(header[136:], 12, 0)
	header[156] = kind
	copy(header[257:], "ustar  \x00")
	return header
}

func octal(field []byte, width int, n int64) {
	for i := width - 2; i >= 0; i-- {
		field[i] = byte('0' + n&7)
		n >>= 3
	}
}

func withChecksum(header []byte) []byte {
	copy(header[148:], "        ")
	sum := int64(0)
	for _, b := range header {
		sum += int64(b)
	}
	octal(header[148:], 7, sum)
	return header
}

// Names of megabytes aren't even read.
func TestHugeHeadersAreRefused(t *testing.T) {
	for name, kind := range map[string]byte{"PAX": 'x', "PAX for all": 'g', "GNU's long name": 'L', "GNU's long target": 'K'} {
		const size = 2 << 20
		data := append(withChecksum(rawHeader(kind, "h", size)), bytes.Repeat([]byte("n"), size)...)
		_, err := extract(t, ExtractOptions{Path: "x.tar", Data: append(data, makeTar(t, file("a", ""))...)})
		var corrupt *CorruptError
		if !errors.As(err, &corrupt) || !errors.Is(err, tar.ErrFieldTooLong) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A header can say anything of a size. Memory is taken for what there is.
func TestSizesThatLie(t *testing.T) {
	for name, compress := range compressors {
		t.Run(name, func(t *testing.T) {
			data := compress(t, append(withChecksum(rawHeader('0', "f", 400<<20)), make([]byte, 512)...))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := extract(t, ExtractOptions{Path: "x.tar", Data: data})
			runtime.ReadMemStats(&after)
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%v", err)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
				t.Errorf("it took %d bytes of memory", used)
			}
		})
	}
}

// A decoder isn't given all the memory that an archive asks for.
func TestHugeWindowsAreRefused(t *testing.T) {
	frame := binary.LittleEndian.AppendUint32(nil, 0xfd2fb528)
	frame = append(frame, 0, 31<<3) // a window of 2 TiB
	frame = append(frame, 1, 0, 0)
	_, err := extract(t, ExtractOptions{Path: "x.tar", Data: frame})
	if !errors.Is(err, zstd.ErrWindowSizeExceeded) {
		t.Errorf("zstd: %v", err)
	}
	_, err = extract(t, ExtractOptions{Path: "x.tar", Data: xzStream(40)})
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) || !strings.Contains(err.Error(), "dictionary") {
		t.Errorf("xz: %v", err)
	}
	_, err = extract(t, ExtractOptions{Path: "x.tar", Data: xzStream(30)}) // 128 MiB
	if !errors.Is(err, errEmpty) {
		t.Errorf("xz with a large dictionary: %v", err)
	}
}

// xzStream makes an xz stream without content, that asks for a dictionary.
func xzStream(dictionary byte) []byte {
	sum := func(data []byte) []byte { return binary.LittleEndian.AppendUint32(data, crc32.ChecksumIEEE(data)) }
	flags := []byte{0, 0}
	stream := append([]byte(xzMagic), sum(flags)...)
	stream = append(stream, sum([]byte{2, 0, 0x21, 1, dictionary, 0, 0, 0})...)
	stream = append(stream, 0, 0, 0, 0)                  // the block's data, and padding
	stream = append(stream, sum([]byte{0, 1, 13, 0})...) // the index
	footer := sum([]byte{1, 0, 0, 0, 0, 0})              // its size, flags
	stream = append(stream, footer[6:]...)
	return append(append(stream, footer[:6]...), xzFooterMagic...)
}

func TestXZIsReadAsItIsWritten(t *testing.T) {
	data := append(xzStream(0), compressors["xz"](t, sampleTar(t))...)
	tree, err := extract(t, ExtractOptions{Path: "x.tar", Data: data})
	if err != nil {
		t.Fatal(err)
	}
	wantList(t, tree, "x.tar", sampleList...)
	data = append(append(xzStream(0), make([]byte, 8)...), data...)
	if _, err = extract(t, ExtractOptions{Path: "x.tar", Data: data}); err != nil {
		t.Errorf("with padding: %v", err)
	}
	many := bytes.Repeat(xzStream(0), maxXZBlocks+1)
	if _, err = extract(t, ExtractOptions{Path: "x.tar", Data: many}); err == nil || !strings.Contains(err.Error(), "blocks") {
		t.Errorf("with very many blocks: %v", err)
	}
}

func TestXZThatIsntSupported(t *testing.T) {
	for name, change := range map[string]func(data []byte){
		"another filter": func(data []byte) { data[14] = 0x04 },
		"two filters":    func(data []byte) { data[13] = 1 },
		"a strange size": func(data []byte) { data[16] = 41 },
	} {
		data := xzStream(0)
		change(data)
		binary.LittleEndian.PutUint32(data[20:], crc32.ChecksumIEEE(data[12:20]))
		_, err := extract(t, ExtractOptions{Path: "x.tar", Data: data})
		var corrupt *CorruptError
		if !errors.As(err, &corrupt) || errors.Is(err, errEmpty) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if newXZSum(2) != nil {
		t.Error("there is an unknown checksum")
	}
}

// A zip says everything twice, and can lie.
func TestZipsThatContradictThemselves(t *testing.T) {
	whole := makeZip(t, zipFile("a", "1"), zipFile("name", strings.Repeat("content ", 100)))
	central := strings.LastIndex(string(whole), "PK\x01\x02")
	local := strings.LastIndex(string(whole), "PK\x03\x04")
	set16 := func(data []byte, at int, n uint16) { binary.LittleEndian.PutUint16(data[at:], n) }
	set32 := func(data []byte, at int, n uint32) { binary.LittleEndian.PutUint32(data[at:], n) }
	for name, change := range map[string]func(data []byte){
		"another name":             func(data []byte) { copy(data[local+30:], "eman") },
		"another name's length":    func(data []byte) { set16(data, local+26, 3) },
		"another method":           func(data []byte) { set16(data, local+8, 0) },
		"encrypted, but only here": func(data []byte) { set16(data, local+6, 9) },
		"no local header":          func(data []byte) { data[local] = 'Q' },
		"the other's header":       func(data []byte) { set32(data, central+42, 0) },
		"beyond the end":           func(data []byte) { set32(data, central+42, 1<<30) },
		"more bytes than said":     func(data []byte) { set32(data, central+24, 10) },
		"fewer bytes than said":    func(data []byte) { set32(data, central+24, 100_000) },
		"more data than there is":  func(data []byte) { set32(data, central+20, 1<<30) },
		"less data than there is":  func(data []byte) { set32(data, central+20, 3) },
		"another checksum":         func(data []byte) { set32(data, central+16, 12345) },
	} {
		t.Run(name, func(t *testing.T) {
			data := bytes.Clone(whole)
			change(data)
			tree, err := extract(t, ExtractOptions{Path: "x.zip", Data: data})
			var corrupt *CorruptError
			if !errors.As(err, &corrupt) || corrupt.Member != "name" {
				t.Errorf("%v", err)
			}
			wantList(t, tree, "x.zip")
		})
	}
}

func TestZipsWhoseFilesOverlapAreRefused(t *testing.T) {
	data := makeZip(t, zipFile("aaaa", strings.Repeat("x", 1000)), zipFile("aaab", "y"))
	second := strings.LastIndex(string(data), "PK\x01\x02")
	first := strings.Index(string(data), "PK\x01\x02")
	copy(data[second+16:second+28], data[first+16:first+28]) // sizes and checksum
	binary.LittleEndian.PutUint32(data[second+42:], 0)
	copy(data[second+46:], "aaaa")
	_, err := extract(t, ExtractOptions{Path: "x.zip", Data: data})
	wantMember(t, err, "aaaa", "duplicate archive path: aaaa")

	inner := makeZip(t, zipped{zip.FileHeader{Name: "b", Method: zip.Store}, "y"})
	outer := makeZip(t, zipped{zip.FileHeader{Name: "a", Method: zip.Store}, string(inner)}, zipFile("b", ""))
	second = strings.LastIndex(string(outer), "PK\x01\x02")
	innerCentral := strings.Index(string(inner), "PK\x01\x02")
	copy(outer[second+8:second+28], inner[innerCentral+8:innerCentral+28])
	binary.LittleEndian.PutUint32(outer[second+42:], uint32(strings.Index(string(outer), string(inner[:31]))))
	_, err = extract(t, ExtractOptions{Path: "x.zip", Data: outer})
	if !errors.Is(err, errZipOverlap) {
		t.Errorf("%v", err)
	}
}

func TestZipBombsAreBound(t *testing.T) {
	data := makeZip(t, zipFile("zeros", strings.Repeat("\x00", 64<<20)))
	tree := newTree(t, workspace.Limits{Bytes: 1 << 20})
	err := Extract(context.Background(), tree, ExtractOptions{Path: "x.zip", Data: data})
	var limit *LimitError
	if !errors.As(err, &limit) || limit.Member != "zeros" || !errors.Is(err, workspace.ENOSPC) {
		t.Errorf("%v", err)
	}
	// The same, but it says that it is small.
	binary.LittleEndian.PutUint32(data[strings.LastIndex(string(data), "PK\x01\x02")+24:], 100)
	err = Extract(context.Background(), tree, ExtractOptions{Path: "x.zip", Data: data})
	if !errors.Is(err, errZipSize) {
		t.Errorf("%v", err)
	}
	wantList(t, tree, "x.zip")
}

func TestManyMembersAreBoundByTheWorkspace(t *testing.T) {
	var headers []tar.Header
	var members []zipped
	for i := range 300 {
		name := "d" + string(rune('a'+i/26)) + string(rune('a'+i%26))
		headers = append(headers, dir(name))
		members = append(members, zipFile(name+"/", ""))
	}
	for path, data := range map[string][]byte{"x.tar": makeTar(t, headers...), "x.zip": makeZip(t, members...)} {
		tree := newTree(t, workspace.Limits{Files: 200})
		err := Extract(context.Background(), tree, ExtractOptions{Path: path, Data: data})
		if !errors.Is(err, workspace.ENOSPC) {
			t.Errorf("%s: %v", path, err)
		}
		wantList(t, tree, path)
	}
}

func TestZip64(t *testing.T) {
	var buffer bytes.Buffer
	w := zip.NewWriter(&buffer)
	raw := []byte("content")
	f, err := w.CreateRaw(&zip.FileHeader{
		Name: "a", Method: zip.Store, CRC32: crc32.ChecksumIEEE(raw), CompressedSize64: 7, UncompressedSize64: 7,
		Extra: []byte{1, 0, 16, 0, 7, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0},
	})
	must(t, err)
	_, err = f.Write(raw)
	must(t, err)
	must(t, w.Close())
	data := buffer.Bytes()
	central := strings.LastIndex(string(data), "PK\x01\x02")
	binary.LittleEndian.PutUint32(data[central+20:], 1<<32-1)
	binary.LittleEndian.PutUint32(data[central+24:], 1<<32-1)
	tree, err := extract(t, ExtractOptions{Path: "x.zip", Data: data})
	if err != nil {
		t.Fatal(err)
	}
	wantList(t, tree, "x.zip", "a=content")
	// The same with a size that can't be.
	copy(data[central+46+1+4:], "\xff\xff\xff\xff\xff\xff\xff\xff")
	_, err = extract(t, ExtractOptions{Path: "x.zip", Data: data})
	if !errors.Is(err, workspace.ENOSPC) {
		t.Errorf("%v", err)
	}
}

// Each member of a zip takes much more memory than it has bytes: too many are
// refused before.
func TestZipsOfVeryManyMembersAreRefusedAtOnce(t *testing.T) {
	var members []zipped
	for i := range 300 {
		members = append(members, zipFile(strings.Repeat("d", i+1), ""))
	}
	data := makeZip(t, members...)
	if got := countZip(data, 100); got != 300 {
		t.Errorf("there are %d", got)
	}
	if got := countZip(append(make([]byte, 1<<16), data...), 100); got != 300 {
		t.Errorf("behind something else there are %d", got)
	}
	inner := makeZip(t, zipped{zip.FileHeader{Name: "inner.zip", Method: zip.Store}, string(data)})
	if got := countZip(inner, 100); got != 1 {
		t.Errorf("around another zip there is %d", got)
	}
	if got := countZip(data, 1<<20); got != 0 {
		t.Errorf("it looked: %d", got)
	}
	must(t, Extract(context.Background(), newTree(t, workspace.Limits{Files: 3}), ExtractOptions{Path: "x.zip", Data: inner}))
}
