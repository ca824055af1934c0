package listing

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Options say how to print. The zero value prints no total, and the year of each
// file.
type Options struct {
	// Total begins with a line for the room that all entries take, as ls does
	// for a folder.
	Total bool

	// Now is the time that ls is run at, in nanoseconds since 1970. The files of
	// half a year before it are shown with a time of day, others with a year.
	Now int64

	// WithoutOwner and WithoutGroup leave a column out.
	WithoutOwner, WithoutGroup bool

	// Human prints sizes, and the total, with at most four characters, as ls -h does.
	Human bool
}

// Format prints entries, one a line, in the order given.
func Format(entries []Entry, options Options) []byte {
	w := widthsOf(entries, options.Human)
	dst := make([]byte, 0, len(entries)*(64+w.owner+w.group))
	if options.Total {
		dst = append(append(append(dst, "total "...), Total(entries, options.Human)...), '\n')
	}
	for i := range entries {
		dst = appendEntry(dst, &entries[i], w, options)
	}
	return dst
}

// Total is the room that all entries take: in KiB, or as [Options.Human] has it.
func Total(entries []Entry, human bool) string {
	sum := int64(0)
	for i := range entries {
		sum += entries[i].blocks()
	}
	if human {
		return scaled(sum << 10)
	}
	return strconv.FormatInt(sum, 10)
}

func appendEntry(dst []byte, e *Entry, w widths, options Options) []byte {
	dst = append(dst, e.Before...)
	dst = appendMode(dst, e.Mode)
	dst = appendRight(dst, strconv.Itoa(e.Links), w.links)
	if !options.WithoutOwner {
		dst = appendLeft(dst, ownerText(e.Owner), w.owner)
	}
	if !options.WithoutGroup {
		dst = appendLeft(dst, ownerText(e.Group), w.group)
	}
	dst = appendRight(dst, sizeText(e, options.Human), w.size)
	dst = append(dst, ' ')
	dst = time.Unix(0, e.Modified).UTC().AppendFormat(dst, dateLayout(e.Modified, options.Now))
	dst = append(dst, ' ')
	dst = append(dst, e.Name...)
	if typeChar(e.Mode) == 'l' && e.Target != "" {
		dst = append(dst, arrow...)
		dst = append(dst, e.Target...)
	}
	return append(dst, '\n')
}

// halfYear is that of ls.
const halfYear = 31556952 / 2 * int64(time.Second)

// dateLayout tells how to print a time. Unlike for ls, now is recent, too: virtual
// time may stand still.
func dateLayout(modified, now int64) string {
	if modified <= now && uint64(now)-uint64(modified) < uint64(halfYear) {
		return "Jan _2 15:04"
	}
	return "Jan _2  2006"
}

func ownerText(name string) string {
	if name == "" {
		return "?"
	}
	return name
}

// sizeText is the size, or the two numbers of a device.
func sizeText(e *Entry, human bool) string {
	if e.isDevice() {
		return "0, 0"
	}
	if human {
		return scaled(max(e.Size, 0))
	}
	return strconv.FormatInt(max(e.Size, 0), 10)
}

// widths are those of the columns that grow, in characters.
type widths struct {
	links, owner, group, size int
}

func widthsOf(entries []Entry, human bool) (w widths) {
	for i := range entries {
		e := &entries[i]
		w.links = max(w.links, len(strconv.Itoa(e.Links)))
		w.owner = max(w.owner, utf8.RuneCountInString(ownerText(e.Owner)))
		w.group = max(w.group, utf8.RuneCountInString(ownerText(e.Group)))
		w.size = max(w.size, len(sizeText(e, human)))
	}
	return w
}

// appendLeft prints a space and a column of text.
func appendLeft(dst []byte, text string, width int) []byte {
	dst = append(append(dst, ' '), text...)
	return append(dst, strings.Repeat(" ", width-utf8.RuneCountInString(text))...)
}

// appendRight prints a space and a column of digits.
func appendRight(dst []byte, text string, width int) []byte {
	dst = append(dst, strings.Repeat(" ", 1+width-len(text))...)
	return append(dst, text...)
}
