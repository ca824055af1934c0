package snapshot

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
	"slices"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// FingerprintVersion says how fingerprints are made. Those of different versions
// can't be compared (S6.88).
const FingerprintVersion = "workspace_entries_sha256_v1"

// Fingerprint is a digest of a workspace in hexadecimal digits, which is the same
// for the same paths, contents, symlinks, modes and owners. Times, inodes and hard
// links don't count, and neither does the order of the entries.
func Fingerprint(entries []workspace.Entry) string {
	ordered := make([]*workspace.Entry, len(entries))
	for i := range entries {
		ordered[i] = &entries[i]
	}
	slices.SortFunc(ordered, func(a, b *workspace.Entry) int { return cmp.Compare(a.Path, b.Path) })
	d := digest{sha256.New()}
	d.text(FingerprintVersion)
	for _, e := range ordered {
		d.text(e.Path)
		d.number(uint64(e.Mode))
		d.text(e.Owner)
		d.text(e.Group)
		d.text(e.Target)
		d.number(uint64(len(e.Content)))
		d.Write(e.Content)
	}
	return hex.EncodeToString(d.Sum(nil))
}

// A digest takes values such that no two sequences of them look the same.
type digest struct{ hash.Hash }

func (d digest) number(n uint64) { d.Write(binary.BigEndian.AppendUint64(nil, n)) }

func (d digest) text(s string) {
	d.number(uint64(len(s)))
	_, _ = io.WriteString(d, s) // which can't fail
}
