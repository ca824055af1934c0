//go:build wasip1

package main

import "unsafe"

// Imports that the SDK has no use for.

//go:wasmimport wasmsandbox_v1 blob_len
func hostBlobLen(handle uint32) int64

//go:wasmimport wasmsandbox_v1 extension
//go:noescape
func importExtension(op uint32, p unsafe.Pointer, n uint32) int64

func hostExtension(op uint32, argument []byte) int64 {
	return importExtension(op, unsafe.Pointer(unsafe.SliceData(argument)), uint32(len(argument)))
}
