//go:build !wasip1

package guest

import (
	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/guest/internal/native"
)

func hostLog(level abi.LogLevel, message string) int32 {
	return native.Host.Log(level, message)
}

func hostFail(message []byte) int32 {
	return native.Host.Fail(message)
}

func hostBlobRead(handle uint32, offset uint64, p []byte) int32 {
	return native.Host.BlobRead(handle, offset, p)
}

func hostBlobNew() int32 { return native.Host.BlobNew() }

func hostBlobWrite(handle uint32, p []byte) int32 {
	return native.Host.BlobWrite(handle, p)
}
