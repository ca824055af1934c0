package abi

import "strconv"

// A DecodeError says where and why the bytes of a message can't be decoded.
// errors.Is finds its Reason.
type DecodeError struct {
	Message string // the innermost message, such as "ExecResult"
	Field   string // the field of that message, or "" when there is none to name
	Offset  int    // of the field's first byte in the data given to Unmarshal; for ErrMissing, its length
	Reason  Reason
}

// A Reason is why a message can't be decoded. It is an error itself, so that
// errors.Is(err, abi.ErrTruncated) asks for one.
type Reason string

// The reasons, by the layer that fails: wire format, text, nesting, meaning.
const (
	ErrTruncated   Reason = "the data ends too early"
	ErrOverflow    Reason = "the number is longer than 64 bits"
	ErrRange       Reason = "the number is too large for the field"
	ErrWireType    Reason = "the wire type doesn't fit the field or isn't supported"
	ErrFieldNumber Reason = "the field number is out of range"

	ErrInvalidUTF8 Reason = "the text is not valid UTF-8"

	ErrDepth   Reason = "values are nested too deeply"
	ErrTooMany Reason = "there are too many embedded messages"

	ErrMissing Reason = "what has to be set is missing"
	ErrEnum    Reason = "the value is not one of those defined"
	ErrDigest  Reason = "the digest is not 32 bytes long"
)

func (r Reason) Error() string { return string(r) }

func (e *DecodeError) Error() string {
	where := e.Message
	if e.Field != "" {
		where += "." + e.Field
	}
	return "abi: decoding " + where + " at byte " + strconv.Itoa(e.Offset) + ": " + string(e.Reason)
}

// Unwrap returns the reason.
func (e *DecodeError) Unwrap() error { return e.Reason }
