package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// readZip puts the members of a zip into a plan for Extract.
func readZip(p *plan, data []byte) error {
	files, err := openZip(p, data)
	if err != nil {
		return err
	}
	sources := make(map[*member]*zip.File, len(files))
	for _, f := range files {
		m, reason := zipMember(f)
		if m == nil {
			continue
		}
		sources[m] = f
		if err := p.take(m, reason); err != nil {
			return err
		}
	}
	for _, m := range p.members {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		if err := p.checkAbove(m); err != nil {
			return err
		}
	}
	if err := checkZipLayout(p, data, sources); err != nil {
		return err
	}
	for _, m := range p.members {
		if m.kind == kindDir {
			continue
		}
		if m.content, err = unzip(p.ctx, sources[m]); err != nil {
			if p.ctx.Err() != nil {
				return p.ctx.Err()
			}
			return &CorruptError{Path: p.path, Member: m.name, Err: err}
		}
	}
	return nil
}

func openZip(p *plan, data []byte) ([]*zip.File, error) {
	if count := countZip(data, p.bounds.Files); count > p.bounds.Files {
		return nil, p.tooMuch("", "files", int64(p.bounds.Files), int64(count))
	}
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // which is checked here, with reasons
		return nil, &CorruptError{Path: p.path, Err: err}
	}
	return r.File, nil
}

// Bits of what a zip says of a member.
const (
	zipEncrypted  = 1
	zipUTF8       = 1 << 11
	unixTypeMask  = 0o170000
	unixSymlink   = 0o120000
	unixModeShift = 16
)

// zipMember is the member that a directory's entry tells of, nil for one that
// tells of none, with what is unsafe about it (S6.29).
func zipMember(f *zip.File) (*member, Reason) {
	m := &member{name: zipName(f), size: clampSize(f.UncompressedSize64)}
	if strings.HasSuffix(m.name, "/") {
		m.kind = kindDir
	}
	if isRootName(m.name) {
		return nil, ""
	}
	if unsafe := checkName(m.name); unsafe != "" {
		return m, unsafe
	}
	if f.ExternalAttrs>>unixModeShift&unixTypeMask == unixSymlink {
		return m, ReasonZipLink
	}
	if m.rel = relative(m.name); m.rel == "" {
		return nil, ""
	}
	switch {
	case m.kind == kindDir:
	case f.Flags&zipEncrypted != 0:
		return m, ReasonEncrypted
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return m, ReasonMethod
	}
	return m, ""
}

// zipName is a member's name in UTF-8. One that isn't said to be, and isn't by its
// looks, is of the code page that the format began with.
func zipName(f *zip.File) string {
	if f.Flags&zipUTF8 != 0 || utf8.ValidString(f.Name) {
		return f.Name
	}
	name, err := charmap.CodePage437.NewDecoder().String(f.Name)
	if err != nil {
		return f.Name
	}
	return name
}

func clampSize(size uint64) int64 { return int64(min(size, 1<<63-1)) }

// errZipSize is a member that has more in it than the directory says.
var errZipSize = errors.New("zip: its size isn't that of the directory")

// unzip reads a member, and compares its size and checksum with the directory's.
func unzip(ctx context.Context, f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	content, err := readExactly(&lasting{ctx, r}, clampSize(f.UncompressedSize64))
	if err != nil {
		return nil, unexpected(err)
	}
	switch n, err := io.ReadFull(r, make([]byte, 1)); {
	case n > 0, errors.Is(err, zip.ErrFormat):
		return nil, errZipSize
	case err != io.EOF:
		return nil, err
	}
	return content, nil
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
