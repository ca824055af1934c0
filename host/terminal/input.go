package terminal

import "io"

// An input is what a process may read: pieces, each of which is a read of its own.
// An empty piece is an end of the input that more may come after.
type input struct {
	limit  int
	closed bool // it is at its end for good when nothing is left
	pieces [][]byte
	size   int // of all pieces, in bytes, and one for each
}

// ready says whether a read has an answer.
func (in *input) ready() bool { return in.closed || len(in.pieces) > 0 }

// push adds a piece, and owns it.
func (in *input) push(piece []byte) {
	in.pieces = append(in.pieces, piece)
	in.size += len(piece) + 1
}

// read answers one read of an input that is ready.
func (in *input) read(b []byte) (int, error) {
	if len(in.pieces) == 0 {
		return 0, io.EOF
	}
	n := copy(b, in.pieces[0])
	in.size -= n
	in.pieces[0] = in.pieces[0][n:]
	if len(in.pieces[0]) == 0 {
		in.pieces[0] = nil
		in.pieces = in.pieces[1:]
		in.size--
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// clear forgets what wasn't read.
func (in *input) clear() { in.pieces, in.size = nil, 0 }
