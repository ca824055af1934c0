// Package abi is the contract between the host and its guests, version 1: the
// messages, their encoding, and the names of the functions that carry them. It
// knows no engine and no session, and is used by the host and by guests written
// in Go alike. SPEC.md is its normative description, abi.proto the definition of
// the messages.
//
// Four messages travel by themselves: a host sends [Open] and [Call], a guest
// answers with [Reply] and dies with [Panic]. Each has two functions. Append adds
// its encoding to a slice and returns the result; the bytes are the same for
// equal messages. Unmarshal replaces the message by what it decodes; it keeps
// references into the data for fields of type []byte, and copies everything
// else. Unmarshal never panics, and fails with a *[DecodeError] that names the
// message and field; what the message holds then is unspecified.
//
// Append can't fail. It replaces what isn't UTF-8 in text by U+FFFD, and panics
// only for a [Value] that nothing can decode; [CheckValue] and [CheckEntries]
// find those before.
//
// The package uses neither reflection nor fmt, which keeps Go guests small.
package abi
