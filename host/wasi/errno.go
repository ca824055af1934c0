package wasi

import (
	"errors"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// An errno is the result of a function, as wasi_snapshot_preview1 numbers them.
type errno uint16

const (
	success      errno = 0
	eacces       errno = 2
	eagain       errno = 6
	ebadf        errno = 8
	ebusy        errno = 10
	eexist       errno = 20
	efault       errno = 21
	efbig        errno = 22
	eilseq       errno = 25
	einval       errno = 28
	eio          errno = 29
	eisdir       errno = 31
	eloop        errno = 32
	emfile       errno = 33
	emlink       errno = 34
	enametoolong errno = 37
	enoent       errno = 44
	enospc       errno = 51
	enosys       errno = 52
	enotdir      errno = 54
	enotempty    errno = 55
	enotsock     errno = 57
	enotsup      errno = 58
	eperm        errno = 63
	epipe        errno = 64
	erofs        errno = 69
	espipe       errno = 70
	exdev        errno = 75
	enotcapable  errno = 76
)

var errnos = map[workspace.Errno]errno{
	workspace.EACCES:       eacces,
	workspace.EBADF:        ebadf,
	workspace.EBUSY:        ebusy,
	workspace.EEXIST:       eexist,
	workspace.EFBIG:        efbig,
	workspace.EILSEQ:       eilseq,
	workspace.EINVAL:       einval,
	workspace.EISDIR:       eisdir,
	workspace.ELOOP:        eloop,
	workspace.EMLINK:       emlink,
	workspace.ENAMETOOLONG: enametoolong,
	workspace.ENOENT:       enoent,
	workspace.ENOSPC:       enospc,
	workspace.ENOTDIR:      enotdir,
	workspace.ENOTEMPTY:    enotempty,
	workspace.EPERM:        eperm,
	workspace.EROFS:        erofs,
	workspace.EXDEV:        exdev,
}

// errnoOf is the number of an error of the file tree.
func errnoOf(err error) errno {
	if err == nil {
		return success
	}
	if _, ok := errors.AsType[*workspace.EscapeError](err); ok {
		return enotcapable
	}
	if _, ok := errors.AsType[*workspace.LimitError](err); ok {
		return enospc
	}
	if _, ok := errors.AsType[*workspace.ReadOnlyError](err); ok {
		return erofs
	}
	if e, ok := errors.AsType[workspace.Errno](err); ok && errnos[e] != success {
		return errnos[e]
	}
	return eio
}
