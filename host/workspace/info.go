package workspace

import (
	"io/fs"
	"time"
)

// An Info tells of a file, folder or symlink.
type Info struct {
	Name     string // the last of its path
	Mode     fs.FileMode
	Size     int64 // in bytes: of a file its content, of a symlink its target, of a folder FolderSize
	Owner    string
	Group    string
	Modified int64 // nanoseconds since 1970
	Accessed int64 // the same: only SetTimes changes it
	Inode    uint64
	Links    int    // names; a folder has one
	Target   string // of a symlink
}

// ModTime is when it was changed, in UTC.
func (i Info) ModTime() time.Time { return time.Unix(0, i.Modified).UTC() }

// FileInfo is the same for users of package io/fs. Its Sys is the Info.
func (i Info) FileInfo() fs.FileInfo { return fileInfo{i} }

type fileInfo struct{ info Info }

func (f fileInfo) Name() string               { return f.info.Name }
func (f fileInfo) Size() int64                { return f.info.Size }
func (f fileInfo) Mode() fs.FileMode          { return f.info.Mode }
func (f fileInfo) Type() fs.FileMode          { return f.info.Mode.Type() }
func (f fileInfo) ModTime() time.Time         { return f.info.ModTime() }
func (f fileInfo) IsDir() bool                { return f.info.Mode.IsDir() }
func (f fileInfo) Sys() any                   { return f.info }
func (f fileInfo) Info() (fs.FileInfo, error) { return f, nil }
func (f fileInfo) String() string             { return fs.FormatFileInfo(f) }

// FolderSize is what the size of each folder is said to be, as on a file system that
// gives one a block. It isn't counted.
const FolderSize = 4096

func (n *node) info(name string) Info {
	size := n.size()
	if n.isDir() {
		size = FolderSize
	}
	return Info{
		Name: name, Mode: n.mode, Size: size, Owner: n.owner, Group: n.group,
		Modified: n.modified, Accessed: n.accessed, Inode: n.inode, Links: int(n.links), Target: n.target,
	}
}
