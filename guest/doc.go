// Package guest is the SDK for responders and matchers written in Go. A guest is
// a main package that registers handlers while it is initialised, and is built as
// a reactor:
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -trimpath -ldflags="-s -w" -o guest.wasm .
//
// Answer a method with [OnExec], [OnRead] and their siblings, several methods at
// once with [Respond], and decide whether a call fits its step with [Match]. A
// handler returns a result, or an error: a [*SandboxError] made by [NewError] is
// raised to the session's caller, any other error says that the guest failed.
//
// # Ownership
//
// A [*Call] and the [Content] of its request belong to the call: they are valid
// until the handler returns. Strings, and slices of strings, may be kept. Reading
// content after its call has ended fails with [ErrExpired]; keep the result of
// [Content.ReadAll] instead. Whatever a handler returns is encoded before the
// next call starts, and may be reused by the guest then.
//
// # Large content
//
// Content over the host's inline limit stays with the host as a blob and is read
// in pieces by a [Reader]. Results are moved into a blob when they are large;
// output that is made in pieces goes through a [Writer].
//
// # State and concurrency
//
// A session has one instance of a guest, and calls it once at a time. Package
// variables are the guest's state. A goroutine that a handler leaves behind gets
// to run only while a later call waits for something.
//
// # Panics
//
// A panic of a handler is reported to the host with its message, place and stack,
// and ends the guest. A panic in another goroutine only leaves its trace on
// standard error.
//
// # Testing
//
// Everything builds natively too. Package guesttest calls handlers as a host
// would, within go test.
//
// The package uses neither reflection nor fmt nor encoding/json, which would make
// a guest half as large again.
package guest
