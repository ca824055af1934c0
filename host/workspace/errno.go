package workspace

import (
	"errors"
	"io/fs"
	"strings"
)

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

// Text is what Error gives, with a capital: as commands say it.
func (e Errno) Text() string {
	text := e.Error()
	return strings.ToUpper(text[:1]) + text[1:]
}

// reasons are what package io/fs has errors for.
var reasons = []struct {
	err   error
	errno Errno
}{
	{fs.ErrNotExist, ENOENT}, {fs.ErrExist, EEXIST}, {fs.ErrPermission, EACCES}, {fs.ErrInvalid, EINVAL}, {fs.ErrClosed, EBADF},
}

// ErrnoOf gives the reason in an error: the Errno that is in it, or that which a
// *[LimitError], an *[EscapeError] and the others match, or which means the same as
// an error of package io/fs. Of other errors, and of nil, it is 0.
func ErrnoOf(err error) Errno {
	if errno, ok := errors.AsType[Errno](err); ok {
		return errno
	}
	for _, errno := range []Errno{ENOSPC, EROFS, EPERM, EINVAL} { // those of errors with a type of their own
		if errors.Is(err, errno) {
			return errno
		}
	}
	for _, reason := range reasons {
		if errors.Is(err, reason.err) {
			return reason.errno
		}
	}
	return 0
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
