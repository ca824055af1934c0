package archive

import (
	"archive/tar"
	"io/fs"
	"math"
	"strconv"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A tar that Persist made says so in a global record, which other programs pass
// over: Hydrate then restores modes, owners and times as they were, rather than
// masked as those of others are (S6.86). It says how many members there are as
// well, so that one that was cut short between two of them is found out.
const (
	recordVersion = "WASMSANDBOX.workspace"
	recordMembers = "WASMSANDBOX.members"
	version       = "1"
)

func mark(members int) *tar.Header {
	return &tar.Header{
		Typeflag:   tar.TypeXGlobalHeader,
		Name:       "pax_global_header",
		PAXRecords: map[string]string{recordVersion: version, recordMembers: strconv.Itoa(members)},
		Format:     tar.FormatPAX,
	}
}

// isOurs reports the global record, and how many members follow.
func isOurs(h *tar.Header) (members int, ours bool) {
	if h.Typeflag != tar.TypeXGlobalHeader || h.PAXRecords[recordVersion] != version {
		return 0, false
	}
	members, err := strconv.Atoi(h.PAXRecords[recordMembers])
	return members, err == nil
}

// header is that of an entry, with all its attributes and none of the host's.
func header(e *workspace.Entry) *tar.Header {
	h := &tar.Header{
		Typeflag: tar.TypeReg,
		Name:     "./" + e.Path,
		Mode:     int64(workspace.UnixMode(e.Mode)),
		Uname:    e.Owner,
		Gname:    e.Group,
		ModTime:  time.Unix(0, e.Modified),
	}
	if e.Path == "." {
		h.Name = "."
	}
	switch {
	case e.Mode.IsDir():
		h.Typeflag = tar.TypeDir
		h.Name += "/"
	case e.Mode&fs.ModeSymlink != 0:
		h.Typeflag, h.Linkname = tar.TypeSymlink, e.Target
	default:
		h.Size = int64(len(e.Content))
	}
	if e.Accessed != e.Modified {
		h.AccessTime = time.Unix(0, e.Accessed)
	}
	if e.Accessed != e.Modified || e.Modified%int64(time.Second) != 0 {
		h.Format = tar.FormatPAX
	}
	return h
}

// maskedMode is the mode of a file from somebody else's tar: nothing special,
// writable by the owner only, executable if it is for the owner (S6.86).
func maskedMode(unix int64) fs.FileMode {
	mode := fs.FileMode(unix) & 0o755
	if mode&0o100 == 0 {
		mode &^= 0o111
	}
	return mode | 0o600
}

// nanoseconds is a time as a workspace has it: one that is out of its reach becomes the
// nearest that isn't.
func nanoseconds(t time.Time) int64 {
	switch {
	case t.Before(time.Unix(0, math.MinInt64)):
		return math.MinInt64
	case t.After(time.Unix(0, math.MaxInt64)):
		return math.MaxInt64
	default:
		return t.UnixNano()
	}
}
