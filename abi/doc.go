// Package abi is the contract between the host and its guests, version 1: the
// messages, their encoding, and the names of the functions that carry them. It
// knows no engine and no session, and is used by the host and by guests written
// in Go alike. SPEC.md is its normative description, abi.proto the definition of
// the messages.
//
// Every message has two functions. Append adds its encoding to a slice and
// returns the result; the bytes are the same for equal messages. Unmarshal
// replaces the message by what it decodes; it keeps references into the data for
// fields of type []byte, and copies everything else. Unmarshal never panics, and
// fails with a *DecodeError that names the message and field.
//
// The package uses neither reflection nor fmt, which keeps Go guests small.
package abi
