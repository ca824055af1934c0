package host

import (
	"archive/tar"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/terminal"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// recordInode is the record of a member with a file's number, which other programs
// pass over.
const recordInode = "WASMSANDBOX.inode"

// files writes a workspace as members of the archive, which any program that reads tars
// can unpack.
func (out *checkpointWriter) files(im *workspace.Image) error {
	names := map[uint64]string{} // of what has several
	for _, e := range im.Entries {
		header, data := fileHeader(e), e.Content
		if first, ok := names[e.Inode]; ok {
			header.Typeflag, header.Linkname, data = tar.TypeLink, first, nil
		} else if e.Links > 1 {
			names[e.Inode] = header.Name
		}
		if err := out.add(header, data); err != nil {
			return err
		}
	}
	return nil
}

func fileHeader(e workspace.Entry) *tar.Header {
	header := &tar.Header{
		Typeflag: tar.TypeReg, Name: filesFolder + e.Path, Mode: int64(workspace.UnixMode(e.Mode)),
		Uname: e.Owner, Gname: e.Group, ModTime: time.Unix(0, e.Modified), AccessTime: time.Unix(0, e.Accessed),
		PAXRecords: map[string]string{recordInode: strconv.FormatUint(e.Inode, 10)}, Format: tar.FormatPAX,
	}
	switch {
	case e.Mode.IsDir():
		header.Typeflag = tar.TypeDir
		header.Name = strings.TrimSuffix(header.Name, "/") + "/"
	case e.Target != "":
		header.Typeflag, header.Linkname = tar.TypeSymlink, e.Target
	}
	return header
}

// files reads a workspace.
func (in *checkpointReader) files(c *Checkpoint, form *workspaceForm) error {
	if form.LastTerminal != 0 && !terminal.CanResume(form.LastTerminal) || form.Entries < 0 {
		return malformed("a count can't be")
	}
	im := &workspace.Image{Now: form.Now, LastInode: form.LastInode}
	first := map[string]int{} // the entry of a member
	for range form.Entries {
		header, err := in.next()
		if err != nil {
			return err
		}
		e, err := in.entry(header)
		if err != nil {
			return err
		}
		if header.Typeflag == tar.TypeLink {
			at, ok := first[header.Linkname]
			if !ok || im.Entries[at].Inode != e.Inode {
				return malformed("a file has the name of none")
			}
			path := e.Path
			e = im.Entries[at]
			e.Path, e.Content = path, nil
		}
		first[header.Name] = len(im.Entries)
		im.Entries = append(im.Entries, e)
	}
	tree, err := workspace.FromImage(workspace.Config{Policy: c.config.policy, Limits: c.config.workspace.Limits}, im)
	switch {
	case isA[*workspace.LimitError](err):
		return &CheckpointError{Kind: CheckpointOtherScript, Detail: "its files are more than the workspace may have", Err: err}
	case err != nil:
		return &CheckpointError{Kind: CheckpointMalformed, Err: err}
	}
	c.files = &filesCheckpoint{tree: tree, ready: form.Started, persisted: form.Persisted, lastID: form.LastTerminal}
	return nil
}

// entry reads a file, folder or symlink. Of a further name there is only the path and
// the number.
func (in *checkpointReader) entry(header *tar.Header) (workspace.Entry, error) {
	path, ok := strings.CutPrefix(header.Name, filesFolder)
	e := workspace.Entry{Path: path}
	var err error
	if e.Inode, err = strconv.ParseUint(header.PAXRecords[recordInode], 10, 64); err != nil || !ok {
		return e, malformed("a file isn't one of the workspace")
	}
	if header.Mode&^0o7777 != 0 {
		return e, malformed("the mode of a file can't be")
	}
	e.Mode, e.Owner, e.Group = workspace.FromUnixMode(uint32(header.Mode)), header.Uname, header.Gname
	e.Modified, e.Accessed = header.ModTime.UnixNano(), header.AccessTime.UnixNano()
	switch header.Typeflag {
	case tar.TypeReg:
		e.Content, err = readWhole(&contentReader{in})
	case tar.TypeDir:
		e.Mode |= fs.ModeDir
		if e.Path != "/" {
			e.Path = strings.TrimSuffix(e.Path, "/")
		}
	case tar.TypeSymlink:
		e.Mode |= fs.ModeSymlink
		e.Target = header.Linkname
	case tar.TypeLink:
	default:
		return e, malformed("a file is of another type")
	}
	return e, err
}

var _ io.WriterTo = (*Checkpoint)(nil)
