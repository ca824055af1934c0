package workspace

import "io/fs"

// An Errno is why an operation on a file failed, as POSIX names it. It is what is
// inside of the [fs.PathError] that operations return:
//
//	errors.Is(err, workspace.ENOTDIR)
//
// Those that package io/fs has an error for match that as well.
type Errno uint8

// The reasons. The zero value is none of them.
const (
	EACCES Errno = iota + 1
	EBADF
	EBUSY
	EEXIST
	EFBIG
	EILSEQ
	EINVAL
	EISDIR
	ELOOP
	EMLINK
	ENAMETOOLONG
	ENOENT
	ENOSPC
	ENOTDIR
	ENOTEMPTY
	EPERM
	EROFS
	EXDEV
)

var errnoTexts = [...]string{
	EACCES:       "permission denied",
	EBADF:        "bad file descriptor",
	EBUSY:        "device or resource busy",
	EEXIST:       "file exists",
	EFBIG:        "file too large",
	EILSEQ:       "invalid or incomplete multibyte or wide character",
	EINVAL:       "invalid argument",
	EISDIR:       "is a directory",
	ELOOP:        "too many levels of symbolic links",
	EMLINK:       "too many links",
	ENAMETOOLONG: "file name too long",
	ENOENT:       "no such file or directory",
	ENOSPC:       "no space left on device",
	ENOTDIR:      "not a directory",
	ENOTEMPTY:    "directory not empty",
	EPERM:        "operation not permitted",
	EROFS:        "read-only file system",
	EXDEV:        "invalid cross-device link",
}

// Error is the text that POSIX systems print.
func (e Errno) Error() string {
	if int(e) < len(errnoTexts) && errnoTexts[e] != "" {
		return errnoTexts[e]
	}
	return "unknown error"
}

// Is reports true for the error of package io/fs that means the same.
func (e Errno) Is(target error) bool {
	switch target {
	case fs.ErrNotExist:
		return e == ENOENT
	case fs.ErrExist:
		return e == EEXIST || e == ENOTEMPTY
	case fs.ErrPermission:
		return e == EACCES || e == EPERM || e == EROFS
	case fs.ErrInvalid:
		return e == EINVAL
	case fs.ErrClosed:
		return e == EBADF
	default:
		return false
	}
}
