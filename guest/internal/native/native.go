// Package native stands where the boundary between guest and host is in a
// WebAssembly build: package guest and a test's host find each other here.
package native

import "github.com/wasmsandbox/wasmsandbox/abi"

// Guest is the exports of package guest, which sets it.
var Guest Exports

// Exports take and return encoded messages. A result is valid until the next call.
type Exports struct {
	Describe func() []byte
	Open     func(data []byte) []byte
	Match    func(handler uint32, data []byte) []byte
	Respond  func(handler uint32, data []byte) []byte
	Close    func() []byte
}

// Host is what the guest imports. It is replaced by one with behaviour in tests.
var Host Imports = Absent{}

// Imports are the functions of a host, with pointers and lengths made slices.
type Imports interface {
	Log(level abi.LogLevel, message string) int32
	Fail(message []byte) int32
	BlobRead(handle uint32, offset uint64, p []byte) int32
	BlobNew() int32
	BlobWrite(handle uint32, p []byte) int32
}

// Absent is a host that drops logs and reports, and has no blobs.
type Absent struct{}

// Log drops the line.
func (Absent) Log(abi.LogLevel, string) int32 { return 0 }

// Fail drops the report.
func (Absent) Fail([]byte) int32 { return 0 }

// BlobRead refuses.
func (Absent) BlobRead(uint32, uint64, []byte) int32 { return int32(abi.StatusUnsupported) }

// BlobNew refuses.
func (Absent) BlobNew() int32 { return int32(abi.StatusUnsupported) }

// BlobWrite refuses.
func (Absent) BlobWrite(uint32, []byte) int32 { return int32(abi.StatusUnsupported) }
