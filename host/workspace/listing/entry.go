package listing

import "io/fs"

// An Entry is a file, folder or symlink, with what ls prints of it.
type Entry struct {
	Name     string // any text; it is printed as it is
	Mode     fs.FileMode
	Links    int
	Owner    string // "" is printed as a question mark
	Group    string // the same
	Size     int64  // in bytes; a device has none
	Modified int64  // nanoseconds since 1970
	Target   string // of a symlink; "": none is printed
	Before   string // columns before the mode, such as the number of the file; they are printed as they are
}

// typeChar is the first character of a mode.
func typeChar(mode fs.FileMode) byte {
	switch mode & fs.ModeType {
	case 0:
		return '-'
	case fs.ModeDir:
		return 'd'
	case fs.ModeSymlink:
		return 'l'
	case fs.ModeNamedPipe:
		return 'p'
	case fs.ModeSocket:
		return 's'
	case fs.ModeDevice | fs.ModeCharDevice, fs.ModeCharDevice:
		return 'c'
	case fs.ModeDevice:
		return 'b'
	default:
		return '?'
	}
}

// Mode is a mode as ls prints it, such as drwxr-xr-x.
func Mode(mode fs.FileMode) string { return string(appendMode(nil, mode)) }

// appendMode prints the type, the nine permission bits, and those that are shown
// in place of an execute bit.
func appendMode(dst []byte, mode fs.FileMode) []byte {
	const flags = "rwxrwxrwx"
	dst = append(dst, typeChar(mode))
	dst = append(dst, flags...)
	text := dst[len(dst)-len(flags):]
	for i := range text {
		if mode&(1<<(8-i)) == 0 {
			text[i] = '-'
		}
	}
	special(mode&fs.ModeSetuid != 0, &text[2], 's')
	special(mode&fs.ModeSetgid != 0, &text[5], 's')
	special(mode&fs.ModeSticky != 0, &text[8], 't')
	return dst
}

// special puts a flag over an execute bit: in capitals where that isn't set.
func special(set bool, execute *byte, flag byte) {
	switch {
	case !set:
	case *execute == 'x':
		*execute = flag
	default:
		*execute = flag - 'a' + 'A'
	}
}

func (e *Entry) isDevice() bool { return e.Mode&(fs.ModeDevice|fs.ModeCharDevice) != 0 }

// blocks is how much room it takes, in KiB: files and folders have whole blocks of
// four.
func (e *Entry) blocks() int64 {
	const block = 4096
	if !e.Mode.IsRegular() && !e.Mode.IsDir() || e.Size <= 0 {
		return 0
	}
	return ((e.Size-1)/block + 1) * (block / 1024)
}
