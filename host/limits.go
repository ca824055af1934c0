package host

import "github.com/wasmsandbox/wasmsandbox/abi"

// Limits are the sizes, in bytes, that a guest must keep to. A zero field takes
// its default.
type Limits struct {
	InlineBytes int // content longer than this travels as a blob; default 64 KiB
	ReplyBytes  int // longest reply; default 16 MiB
	LogBytes    int // log and output kept per call, the rest is dropped; default 1 MiB
	BlobBytes   int // blob bytes that a guest may create per call; default 256 MiB
}

func (l Limits) withDefaults() Limits {
	defaults := Limits{InlineBytes: abi.InlineBytes, ReplyBytes: 16 << 20, LogBytes: 1 << 20, BlobBytes: 256 << 20}
	for _, field := range []struct{ value, fallback *int }{
		{&l.InlineBytes, &defaults.InlineBytes},
		{&l.ReplyBytes, &defaults.ReplyBytes},
		{&l.LogBytes, &defaults.LogBytes},
		{&l.BlobBytes, &defaults.BlobBytes},
	} {
		if *field.value <= 0 {
			*field.value = *field.fallback
		}
	}
	return l
}

func (l Limits) message() abi.Limits {
	return abi.Limits{
		InlineBytes: uint64(l.InlineBytes),
		ReplyBytes:  uint64(l.ReplyBytes),
		LogBytes:    uint64(l.LogBytes),
		BlobBytes:   uint64(l.BlobBytes),
	}
}
