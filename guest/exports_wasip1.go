//go:build wasip1

package guest

import (
	"unsafe"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// The host calls these, which linters can't see.
var _ = []any{exportVersion, exportBuffer, exportDescribe, exportOpen, exportMatch, exportRespond, exportClose}

//go:wasmexport wasmsandbox_abi_v1
func exportVersion() int32 { return abi.VersionMinor }

//go:wasmexport wasmsandbox_buffer
func exportBuffer(size int32) int32 { return address(self.reserve(size)) }

//go:wasmexport wasmsandbox_describe
func exportDescribe() int64 { return pack(self.describe()) }

//go:wasmexport wasmsandbox_open
func exportOpen(n int32) int64 { return pack(self.open(self.message(n))) }

//go:wasmexport wasmsandbox_match
func exportMatch(handler, n int32) int64 {
	return pack(self.match(uint32(handler), self.message(n)))
}

//go:wasmexport wasmsandbox_respond
func exportRespond(handler, n int32) int64 {
	return pack(self.respond(uint32(handler), self.message(n)))
}

//go:wasmexport wasmsandbox_close
func exportClose() int64 { return pack(self.close()) }

// pack is the address and length of a reply, which the module keeps alive.
func pack(reply []byte) int64 {
	return int64(address(reply))<<32 | int64(len(reply))
}

func address(b []byte) int32 {
	return int32(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
}
