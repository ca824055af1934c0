package workspace

import "io/fs"

// specialBits are the bits of a mode beside the permissions, with what they are in
// the numbers that chmod and tar use.
var specialBits = []struct {
	mode fs.FileMode
	unix uint32
}{
	{fs.ModeSetuid, 0o4000}, {fs.ModeSetgid, 0o2000}, {fs.ModeSticky, 0o1000},
}

// UnixMode is the number that chmod and tar use for a mode, such as 0o4755. It
// doesn't tell the kind of the file.
func UnixMode(mode fs.FileMode) uint32 {
	unix := uint32(mode.Perm())
	for _, b := range specialBits {
		if mode&b.mode != 0 {
			unix |= b.unix
		}
	}
	return unix
}

// FromUnixMode is the mode that such a number means, without a kind. Other bits don't
// count.
func FromUnixMode(unix uint32) fs.FileMode {
	mode := fs.FileMode(unix) & fs.ModePerm
	for _, b := range specialBits {
		if unix&b.unix != 0 {
			mode |= b.mode
		}
	}
	return mode
}
