package builtin

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/printf"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/listing"
)

// printfFields are the letters that -printf has something for. Another one comes after T: what
// of the time, as for date, or @ for seconds since 1970.
const printfFields = "%pPHfhdlsmMyinuUgGT"

// printf is -printf, which prints a format for each file.
func (f *finder) printf(format string) (test, error) {
	text, _ := printf.Format(strings.ReplaceAll(format, "%", "%%"), nil, 1<<20)
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '%' {
			continue
		}
		if i++; strings.IndexByte(printfFields, text[i]) < 0 {
			return nil, fmt.Errorf("-printf %%%c is not supported", text[i])
		}
	}
	return func(v *visit) bool { f.c.print(f.format(string(text), v)); return true }, nil
}

func (f *finder) format(text string, v *visit) string {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] != '%' || i+1 == len(text):
			out.WriteByte(text[i])
		case text[i+1] == 'T' && i+2 < len(text):
			i += 2
			out.WriteString(modified(text[i], v.info.ModTime()))
		default:
			i++
			out.WriteString(f.field(text[i], v))
		}
	}
	return out.String()
}

func (f *finder) field(letter byte, v *visit) string {
	switch letter {
	case '%':
		return "%"
	case 'p':
		return v.name
	case 'P':
		return strings.TrimPrefix(strings.TrimPrefix(v.name, f.start), "/")
	case 'H':
		return f.start
	case 'f':
		return path.Base(v.name)
	case 'h':
		return parent(v.name)
	case 'd':
		return strconv.Itoa(v.depth)
	case 'l':
		return v.info.Target
	case 'y':
		return strings.Replace(listing.Mode(v.info.Mode)[:1], "-", "f", 1)
	default:
		return f.c.statField(statLetters[letter], v.name, v.info)
	}
}

// statLetters are what stat has for letters of -printf.
var statLetters = map[byte]byte{'s': 's', 'm': 'a', 'M': 'A', 'i': 'i', 'n': 'h', 'u': 'U', 'g': 'G', 'U': 'u', 'G': 'g'}

func modified(letter byte, at time.Time) string {
	if letter == '@' {
		return fmt.Sprintf("%d.%09d0", at.Unix(), at.Nanosecond())
	}
	return timeField(letter, at)
}
