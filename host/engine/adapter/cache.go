package adapter

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// A Cache is a folder of what was made of modules, an entry for each key. A key is the
// digest of the module and of all else that the entry follows from.
//
// Entries are written to a temporary file that is renamed, so writers don't get into each
// other's way and no reader sees half an entry. Only the owner may read and write them.
// An entry that is damaged, or is another key's, is as good as none; one that can't be
// written isn't; one that hasn't been used for a month is removed. A Cache is safe for
// concurrent use, also by several processes. A nil Cache has no entries.
type Cache struct{ dir string }

// NewCache is the cache in a folder, which is made with the first entry if there is none.
// It is nil for no folder.
func NewCache(dir string) *Cache {
	if dir == "" {
		return nil
	}
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	return &Cache{dir}
}

// A checksum comes before the content of an entry. It is one of the key as well, so that
// an entry under another name is damaged, too.
const checksumSize = crc32.Size

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(key [32]byte, content []byte) uint32 {
	return crc32.Update(crc32.Checksum(key[:], castagnoli), castagnoli, content)
}

// Load gives an entry, which the caller owns, or nil if there is none.
func (c *Cache) Load(key [32]byte) []byte {
	if c == nil {
		return nil
	}
	path := c.path(key)
	entry, err := os.ReadFile(path)
	if err != nil || len(entry) <= checksumSize {
		return nil
	}
	touch(path, time.Now())
	sum, content := binary.LittleEndian.Uint32(entry), entry[checksumSize:]
	if checksum(key, content) != sum {
		return nil
	}
	return content
}

// Store keeps an entry, in the place of one that is there, if it can.
func (c *Cache) Store(key [32]byte, content []byte) {
	if c == nil {
		return
	}
	if err := c.write(key, content); errors.Is(err, fs.ErrNotExist) && os.MkdirAll(c.dir, 0o700) == nil {
		_ = c.write(key, content)
	}
	if now := time.Now(); !trimmed(c.dir, now) {
		trim(c.dir, now)
	}
}

func (c *Cache) path(key [32]byte) string { return filepath.Join(c.dir, hex.EncodeToString(key[:])) }

func (c *Cache) write(key [32]byte, content []byte) error {
	f, err := os.CreateTemp(c.dir, "entry.*.tmp")
	if err != nil {
		return err
	}
	_, err1 := f.Write(binary.LittleEndian.AppendUint32(nil, checksum(key, content)))
	_, err2 := f.Write(content)
	err = errors.Join(err1, err2, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), c.path(key))
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
