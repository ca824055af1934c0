package wasi

// An errno is the result of a function, as wasi_snapshot_preview1 numbers them.
type errno uint16

const (
	success  errno = 0
	ebadf    errno = 8
	efault   errno = 21
	einval   errno = 28
	enosys   errno = 52
	enotdir  errno = 54
	enotsock errno = 57
	enotsup  errno = 58
	espipe   errno = 70
)
