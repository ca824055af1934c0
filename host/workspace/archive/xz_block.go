package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/ulikunitz/xz/lzma"
)

// startBlock reads a block's header, and finds its end.
func (x *xzReader) startBlock() error {
	header, err := x.take((int(x.rest[0]) + 1) * 4)
	if err != nil {
		return err
	}
	body := len(header) - 4
	if binary.LittleEndian.Uint32(header[body:]) != crc32.ChecksumIEEE(header[:body]) {
		return errXZ
	}
	sizes, window, err := xzBlockHeader(header[1:body])
	if err != nil {
		return err
	}
	packed, total, err := lzma2Extent(x.rest)
	if err != nil {
		return err
	}
	if x.count++; x.count > maxXZBlocks {
		return fmt.Errorf("xz: there are more than %d blocks", maxXZBlocks)
	}
	if sizes[0] >= 0 && sizes[0] != packed || sizes[1] >= 0 && sizes[1] != total {
		return errXZ
	}
	data, _ := x.take(int(packed)) // which is there
	x.sum = newXZSum(x.check)
	padding, err := x.take(int(-packed & 3))
	if err == nil {
		x.want, err = x.take(x.sum.Size())
	}
	if err != nil {
		return err
	}
	if len(bytes.Trim(padding, "\x00")) > 0 {
		return errXZ
	}
	x.size, x.total = 0, total
	x.blocks = append(x.blocks, xzBlock{uint64(len(header)) + uint64(packed) + uint64(x.sum.Size()), uint64(total)})
	window = max(min(window, total), lzma.MinDictCap) // no more than can be needed
	x.block, err = lzma.Reader2Config{DictCap: int(window)}.NewReader2(bytes.NewReader(data))
	return err
}

// xzBlockHeader reads what a block's header says: the sizes, packed and not, -1 if
// it doesn't, and how much the decoder has to remember.
func xzBlockHeader(header []byte) (sizes [2]int64, window int64, err error) {
	flags, rest := header[0], header[1:]
	if flags&0x3f != 0 { // more than one filter, or what isn't defined
		return sizes, 0, errors.New("xz: only the filter LZMA2 is supported")
	}
	for i := range sizes {
		sizes[i] = -1
		if flags&(0x40<<i) != 0 {
			if sizes[i], rest, err = xzNumber(rest); err != nil {
				return sizes, 0, err
			}
		}
	}
	if len(rest) < 3 || rest[0] != 0x21 || rest[1] != 1 {
		return sizes, 0, errors.New("xz: only the filter LZMA2 is supported")
	}
	bits := rest[2]
	if bits > 40 || len(bytes.Trim(rest[3:], "\x00")) > 0 {
		return sizes, 0, errXZ
	}
	if window = int64(2|bits&1) << (bits/2 + 11); window > maxWindow {
		return sizes, 0, fmt.Errorf("xz: the dictionary of %d bytes is larger than %d", window, maxWindow)
	}
	return sizes, window, nil
}

// xzNumber reads a number of the format.
func xzNumber(data []byte) (int64, []byte, error) {
	n, length := binary.Uvarint(data)
	if length <= 0 || length > 9 || n > 1<<63-1 {
		return 0, nil, errXZ
	}
	return int64(n), data[length:], nil
}

// lzma2Extent finds how long LZMA2 data is, packed and not.
func lzma2Extent(data []byte) (packed, size int64, err error) {
	for at := 0; at < len(data); {
		control := data[at]
		var header, body int
		switch {
		case control == 0:
			return int64(at) + 1, size, nil
		case control <= 2:
			header = 3
		case control < 0x80:
			return 0, 0, errXZ
		case control < 0xc0:
			header = 5
		default:
			header = 6
		}
		if len(data)-at < header {
			break
		}
		unpacked := int(binary.BigEndian.Uint16(data[at+1:])) + 1
		if body = unpacked; header > 3 {
			unpacked += int(control&0x1f) << 16
			body = int(binary.BigEndian.Uint16(data[at+3:])) + 1
		}
		size += int64(unpacked)
		at += header + body
	}
	return 0, 0, io.ErrUnexpectedEOF
}

// endBlock compares a block's checksum.
func (x *xzReader) endBlock() error {
	sum := x.sum.Sum(nil)
	if len(sum) < sha256.Size {
		slices.Reverse(sum) // the format has its numbers the other way round
	}
	if x.size != x.total || !bytes.Equal(sum, x.want) {
		return errXZ
	}
	x.block = nil
	return nil
}
