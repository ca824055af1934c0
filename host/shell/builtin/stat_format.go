package builtin

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// statText fills in a format of stat.
func statText(format, name string, info workspace.Info) string {
	var out strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			out.WriteByte(format[i])
			continue
		}
		i++
		out.WriteString(statField(format[i], name, info))
	}
	return out.String()
}

func statField(letter byte, name string, info workspace.Info) string {
	switch letter {
	case 'n':
		return name
	case 'N':
		return "'" + name + "'"
	case 's':
		return strconv.FormatInt(info.Size, 10)
	case 'a':
		return strconv.FormatUint(uint64(info.Mode.Perm()), 8)
	case 'A':
		return modeText(info.Mode)
	case 'F':
		return fileType(info)
	case 'U':
		return info.Owner
	case 'G':
		return info.Group
	case 'h':
		return strconv.Itoa(info.Links)
	case 'i':
		return strconv.FormatUint(info.Inode, 10)
	case 'Y':
		return strconv.FormatInt(info.Modified/1e9, 10)
	case 'X':
		return strconv.FormatInt(info.Accessed/1e9, 10)
	case 'y':
		return info.ModTime().Format("2006-01-02 15:04:05.000000000 -0700")
	case '%':
		return "%"
	}
	return "?"
}

func modeText(mode fs.FileMode) string {
	kind := "-"
	switch {
	case mode.IsDir():
		kind = "d"
	case mode&fs.ModeSymlink != 0:
		kind = "l"
	}
	return kind + mode.Perm().String()[1:]
}

func fileType(info workspace.Info) string {
	switch {
	case info.Mode.IsDir():
		return "directory"
	case info.Mode&fs.ModeSymlink != 0:
		return "symbolic link"
	case info.Size == 0:
		return "regular empty file"
	default:
		return "regular file"
	}
}

// parseMode reads a mode: 755, or u+x,go-w for one that there was.
func parseMode(text string, old fs.FileMode, dir bool) (fs.FileMode, error) {
	if n, err := strconv.ParseUint(text, 8, 12); err == nil {
		return fs.FileMode(n) & fs.ModePerm, nil
	}
	mode := old.Perm()
	for clause := range strings.SplitSeq(text, ",") {
		i := strings.IndexAny(clause, "+-=")
		if i < 0 {
			return 0, fmt.Errorf("invalid mode: '%s'", text)
		}
		var who, bits fs.FileMode
		for _, r := range clause[:i] {
			switch r {
			case 'u':
				who |= 0o700
			case 'g':
				who |= 0o070
			case 'o':
				who |= 0o007
			case 'a':
				who |= 0o777
			default:
				return 0, fmt.Errorf("invalid mode: '%s'", text)
			}
		}
		for _, r := range clause[i+1:] {
			switch r {
			case 'r':
				bits |= 0o444
			case 'w':
				bits |= 0o222
			case 'x':
				bits |= 0o111
			case 'X':
				if dir || mode&0o111 != 0 {
					bits |= 0o111
				}
			default:
				return 0, fmt.Errorf("invalid mode: '%s'", text)
			}
		}
		if who == 0 {
			who = 0o777
			if clause[i] != '=' && bits&0o222 != 0 {
				bits &^= 0o022 // as the usual umask has it
			}
		}
		switch clause[i] {
		case '+':
			mode |= bits & who
		case '-':
			mode &^= bits & who
		default:
			mode = mode&^who | bits&who
		}
	}
	return mode, nil
}
