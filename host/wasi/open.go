package wasi

import "github.com/wasmsandbox/wasmsandbox/host/workspace"

// How a path is opened.
const (
	openCreate    = 1
	openDirectory = 2
	openExclusive = 4
	openTruncate  = 8
	openAll       = 1<<4 - 1
)

func pathOpen(e *Env, m memory, p params) errno {
	d, name, err := e.at(m, p.u32(0), rightOpen, p.u32(2), p.u32(3))
	if err != success {
		return err
	}
	if _, ok := m.view(p.u32(8), 4); !ok {
		return efault
	}
	options, err := openOptions(d, p.u32(1), p.u32(4), p[5])
	if err != success {
		return err
	}
	if p.u32(7) > fdflagsAll {
		return einval
	}
	if _, ok := e.fds.next(); !ok {
		return emfile
	}
	opened, err := e.open(d.handle, name, options)
	if err != success {
		return err
	}
	opened.flags = uint16(p.u32(7))
	opened.rights = grant(p[5], d.inheriting, opened.isFolder())
	if opened.isFolder() {
		opened.inheriting = d.inheriting
	}
	return m.putU32(p.u32(8), e.fds.add(opened))
}

// open opens what a path leads to.
func (e *Env) open(folder *workspace.Handle, name string, o workspace.OpenOptions) (d *descriptor, err errno) {
	d = &descriptor{filetype: filetypeRegularFile}
	open := func() (failed error) {
		d.handle, failed = folder.Open(name, o)
		return failed
	}
	if o.Create || o.Truncate {
		err = e.change(open)
	} else {
		err = errnoOf(open())
	}
	if err == success && d.handle.IsDir() {
		d.filetype = filetypeDirectory
	}
	return d, err
}

// openOptions says how a path is opened in a folder. Whether for reading and
// writing is told by the rights asked for.
func openOptions(folder *descriptor, lookupFlags, flags uint32, rights uint64) (o workspace.OpenOptions, err errno) {
	follow, err := lookup(lookupFlags)
	if err != success {
		return o, err
	}
	o = workspace.OpenOptions{
		Read:      rights&rightFdRead != 0,
		Write:     rights&rightFdWrite != 0,
		Create:    flags&openCreate != 0,
		Exclusive: flags&openCreate != 0 && flags&openExclusive != 0,
		Truncate:  flags&openTruncate != 0,
		Directory: flags&openDirectory != 0,
		NoFollow:  !follow,
	}
	var need uint64
	if o.Create {
		need |= rightCreateFile
	}
	if o.Truncate {
		need |= rightSetSize
	}
	missing := rights & (rightFdRead | rightFdWrite) &^ folder.inheriting
	switch {
	case flags > openAll, o.Directory && flags != openDirectory:
		return o, einval
	case folder.rights&need != need, missing != 0:
		return o, enotcapable
	}
	return o, success
}
