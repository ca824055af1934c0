package wasi

import (
	"encoding/binary"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

const direntSize = 24 // without the name

// maxListed bounds the entries that all descriptors of an instance keep together.
const maxListed = 1 << 20

// A dirent is an entry of a folder.
type dirent struct {
	name     string
	inode    uint64
	filetype byte
}

// fdReaddir fills a buffer with entries from a position on, and cuts off the last
// of them when it has no room: less than a full buffer is the end.
//
// A guest that begins anew gets the folder as it is then. Until then it sees the
// same list, so that no entry is missed or seen twice while the folder changes.
func fdReaddir(e *Env, m memory, p params) errno {
	d, err := e.needFolder(p.u32(0), rightReaddir)
	if err != success {
		return err
	}
	out, ok1 := m.view(p.u32(1), p.u32(2))
	_, ok2 := m.view(p.u32(4), 4)
	if !ok1 || !ok2 {
		return efault
	}
	cookie := p[3]
	if cookie == 0 || d.listing == nil {
		if err := e.list(d); err != success {
			return err
		}
	}
	used := 0
	for i := cookie; i < uint64(len(d.listing)) && used < len(out); i++ {
		used += d.listing[i].write(out[used:], i+1)
	}
	e.owesBytes(int64(used))
	return m.putU32(p.u32(4), uint32(used))
}

// write writes as much of an entry as there is room for.
func (d *dirent) write(out []byte, next uint64) (n int) {
	var header [direntSize]byte
	putU64(header[:], next)
	putU64(header[8:], d.inode)
	binary.LittleEndian.PutUint32(header[16:], uint32(len(d.name)))
	header[20] = d.filetype
	n = copy(out, header[:])
	return n + copy(out[n:], d.name)
}

// list reads a folder for a descriptor. When descriptors keep too much, the others
// forget what they have.
func (e *Env) list(d *descriptor) errno {
	infos, failed := d.handle.ReadDir()
	if failed != nil {
		return errnoOf(failed)
	}
	e.forgetListing(d)
	if e.listed+len(infos) > maxListed {
		for _, other := range e.fds.open {
			e.forgetListing(other)
		}
	}
	self := d.handle.Info().Inode
	parent := self // of a root: what is above isn't told of
	if info, err := d.handle.Stat("..", true); err == nil {
		parent = info.Inode
	}
	d.listing = make([]dirent, 0, len(infos)+2)
	d.listing = append(d.listing, dirent{".", self, filetypeDirectory}, dirent{"..", parent, filetypeDirectory})
	for _, info := range infos {
		d.listing = append(d.listing, dirent{info.Name, info.Inode, filetypeOf(info)})
	}
	e.listed += len(d.listing)
	e.owes(priceEntry * len(d.listing))
	return success
}

func (e *Env) forgetListing(d *descriptor) {
	if d != nil {
		e.listed -= len(d.listing)
		d.listing = nil
	}
}

func filetypeOf(info workspace.Info) byte {
	switch {
	case info.Mode.IsDir():
		return filetypeDirectory
	case info.Mode.IsRegular():
		return filetypeRegularFile
	default:
		return filetypeSymbolicLink
	}
}
