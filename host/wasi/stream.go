package wasi

// A stream is one of the standard ones.
type stream byte

const (
	noStream stream = iota
	stdin
	stdout
	stderr
)

// newStream makes the descriptor of a stream. It has no position, by which a C
// library tells a terminal from other devices.
func newStream(s stream, pipe bool) descriptor {
	d := descriptor{stream: s, filetype: filetypeCharacterDevice, rights: rightsAlways | rightFdWrite}
	if s == stdin {
		d.rights = rightsAlways | rightFdRead
	}
	if pipe {
		d.filetype = filetypeUnknown // there is no other word for it
	}
	return d
}

// output is where a stream leads to that can be written.
func (e *Env) output(s stream) *output {
	if s == stdout {
		return &e.stdout
	}
	return &e.stderr
}
