package abi

// A Stream is a file-like value: content and a position in it.
type Stream struct {
	Content  Content // all of it, also what lies before the position
	Position uint64  // bytes from the start; may be past the end
	Text     bool    // made of text, not of bytes
}

// Content is bytes that travel inside a message or, when they are many, beside
// it as a blob. The zero value is empty.
type Content struct {
	Inline []byte
	Blob   *Blob // not nil: Inline isn't used
}

// A Blob names content that stays outside of a message. The handle is valid
// until the call it belongs to has ended.
type Blob struct {
	Handle uint32
	Size   uint64 // bytes
	SHA256 []byte // 32 bytes, or empty when a guest left it out
}

// An Entry is a named value.
type Entry struct {
	Key   string
	Value Value
}

// A Value is a JSON-like value without fractions: nil, bool, int64, string,
// []byte, []Value, or []Entry in ascending order of its keys.
type Value any

// Len is the number of bytes, inline or in the blob.
func (c *Content) Len() uint64 {
	if c.Blob != nil {
		return c.Blob.Size
	}
	return uint64(len(c.Inline))
}
