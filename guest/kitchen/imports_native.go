//go:build !wasip1

package main

// Stand-ins for the imports, so that the guest builds natively.

const statusUnsupported = -6

func hostBlobLen(uint32) int64 { return statusUnsupported }

func hostExtension(uint32, []byte) int64 { return statusUnsupported }
