//go:build wasip1

package guest

import (
	"unsafe"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

//go:wasmimport wasmsandbox_v1 log
//go:noescape
func importLog(level int32, p unsafe.Pointer, n uint32) int32

//go:wasmimport wasmsandbox_v1 fail
//go:noescape
func importFail(p unsafe.Pointer, n uint32) int32

//go:wasmimport wasmsandbox_v1 blob_read
//go:noescape
func importBlobRead(handle int32, offset int64, p unsafe.Pointer, n uint32) int32

//go:wasmimport wasmsandbox_v1 blob_new
func importBlobNew() int32

//go:wasmimport wasmsandbox_v1 blob_write
//go:noescape
func importBlobWrite(handle int32, p unsafe.Pointer, n uint32) int32

func hostLog(level abi.LogLevel, message string) int32 {
	return importLog(int32(level), unsafe.Pointer(unsafe.StringData(message)), uint32(len(message)))
}

func hostFail(message []byte) int32 {
	return importFail(unsafe.Pointer(unsafe.SliceData(message)), uint32(len(message)))
}

func hostBlobRead(handle uint32, offset uint64, p []byte) int32 {
	return importBlobRead(int32(handle), int64(offset), unsafe.Pointer(unsafe.SliceData(p)), uint32(len(p)))
}

func hostBlobNew() int32 { return importBlobNew() }

func hostBlobWrite(handle uint32, p []byte) int32 {
	return importBlobWrite(int32(handle), unsafe.Pointer(unsafe.SliceData(p)), uint32(len(p)))
}
