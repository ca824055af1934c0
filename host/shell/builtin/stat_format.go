package builtin

import (
	"io/fs"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/listing"
)

// statText fills in a format of stat.
func (c *command) statText(format, name string, info workspace.Info) string {
	var out strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			out.WriteByte(format[i])
			continue
		}
		i++
		out.WriteString(c.statField(format[i], name, info))
	}
	return out.String()
}

func (c *command) statField(letter byte, name string, info workspace.Info) string {
	switch letter {
	case 'n':
		return name
	case 'N':
		return "'" + name + "'"
	case 's':
		return strconv.FormatInt(info.Size, 10)
	case 'a':
		return strconv.FormatUint(uint64(workspace.UnixMode(info.Mode)), 8)
	case 'A':
		return listing.Mode(info.Mode)
	case 'F':
		return fileType(info)
	case 'U':
		return info.Owner
	case 'G':
		return info.Group
	case 'u':
		return c.uidText(info.Owner)
	case 'g':
		return c.gidText(info.Group)
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
