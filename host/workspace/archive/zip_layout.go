package archive

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

// A zip tells of each member twice: in its directory, by which it is extracted, and
// before the member's data. A zip that isn't the same for all who read it is refused.

var (
	errZipLocal   = errors.New("zip: what is before its data differs from the directory")
	errZipOverlap = errors.New("zip: its data overlaps that of another one")
)

const (
	zipLocalMagic  = "PK\x03\x04"
	zipLocalLength = 30
)

// A zipExtent is where a member's header and data are.
type zipExtent struct {
	member     *member
	start, end int64
}

// checkZipLayout compares both, and makes sure that no byte belongs to two files:
// that is how a small zip has much in it.
func checkZipLayout(p *plan, data []byte, sources map[*member]*zip.File) error {
	extents := make([]zipExtent, 0, len(p.members))
	for _, m := range p.members {
		if m.kind == kindDir {
			continue
		}
		if err := p.ctx.Err(); err != nil {
			return err
		}
		e, err := zipLocal(data, sources[m])
		if err != nil {
			return &CorruptError{Path: p.path, Member: m.name, Err: err}
		}
		e.member = m
		extents = append(extents, e)
	}
	slices.SortStableFunc(extents, func(a, b zipExtent) int { return int(max(min(a.start-b.start, 1), -1)) })
	for i := 1; i < len(extents); i++ {
		if extents[i].start < extents[i-1].end {
			return &CorruptError{Path: p.path, Member: extents[i].member.name, Err: errZipOverlap}
		}
	}
	return nil
}

// zipLocal finds the header before a member's data, and compares it with what the
// directory says.
func zipLocal(data []byte, f *zip.File) (zipExtent, error) {
	body, err := f.DataOffset()
	if err != nil {
		return zipExtent{}, err
	}
	size := clampSize(f.CompressedSize64)
	if body < 0 || body > int64(len(data)) || size > int64(len(data))-body {
		return zipExtent{}, zip.ErrFormat
	}
	for extra := int64(0); extra < 1<<16; extra++ {
		start := body - extra - int64(len(f.Name)) - zipLocalLength
		if start < 0 {
			break
		}
		if header := data[start:body]; isLocal(header, f, extra) {
			return zipExtent{start: start, end: body + size}, nil
		}
	}
	return zipExtent{}, errZipLocal
}

// isLocal reports a header that is the file's, with that much behind its name.
func isLocal(header []byte, f *zip.File, extra int64) bool {
	return string(header[:4]) == zipLocalMagic &&
		int64(binary.LittleEndian.Uint16(header[28:])) == extra &&
		int(binary.LittleEndian.Uint16(header[26:])) == len(f.Name) &&
		string(header[zipLocalLength:zipLocalLength+len(f.Name)]) == f.Name &&
		binary.LittleEndian.Uint16(header[8:]) == f.Method &&
		binary.LittleEndian.Uint16(header[6:])&zipEncrypted == f.Flags&zipEncrypted
}

const (
	zipCentralMagic  = "PK\x01\x02"
	zipCentralLength = 46
	zipEndMagic      = "PK\x05\x06"
	zipEndLength     = 22
)

// countZip is how many members a zip may have, by its looks: each takes much more
// memory than its few bytes. If there can't be more than enough it doesn't look.
func countZip(data []byte, enough int) int {
	if len(data)/zipCentralLength <= enough {
		return 0
	}
	end, start := bytes.LastIndex(data, []byte(zipEndMagic)), 0
	if end >= 0 && len(data)-end >= zipEndLength {
		size := int64(binary.LittleEndian.Uint32(data[end+12:]))
		offset := int64(binary.LittleEndian.Uint32(data[end+16:]))
		if size != 1<<32-1 && offset != 1<<32-1 { // else they are elsewhere
			start = int(max(min(offset, int64(end)-size), 0))
		}
	}
	return bytes.Count(data[start:], []byte(zipCentralMagic))
}
