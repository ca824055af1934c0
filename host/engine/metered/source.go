package metered

import (
	"bytes"
	"crypto/sha256"
)

// A Source is a module before it is rewritten, with its digest. For a module of some
// megabytes, who needs the digest as well saves milliseconds with it. It is immutable.
type Source struct {
	wasm   []byte
	digest [sha256.Size]byte
}

// SourceOf keeps wasm, which must not change as long as the source is used.
func SourceOf(wasm []byte) Source { return Source{wasm, sha256.Sum256(wasm)} }

// Wasm is the module. The caller must not change it.
func (s Source) Wasm() []byte { return s.wasm }

// Digest is the SHA-256 of the module.
func (s Source) Digest() [sha256.Size]byte { return s.digest }

// Clone is a source with a copy of the module.
func (s Source) Clone() Source { return Source{bytes.Clone(s.wasm), s.digest} }
