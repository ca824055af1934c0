package host

import (
	"archive/tar"
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
)

// A checkpointWriter writes the archive of a checkpoint: a tar, compressed by gzip, whose
// checksum shows damage.
type checkpointWriter struct {
	to     countingWriter
	packed *gzip.Writer
	whole  countingWriter // before it is compressed
	tar    *tar.Writer
}

// A countingWriter counts what it has written, and remembers how its writer failed.
type countingWriter struct {
	w   io.Writer
	n   int64
	err error
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	c.err = err
	return n, err
}

func newCheckpointWriter(w io.Writer) *checkpointWriter {
	out := &checkpointWriter{to: countingWriter{w: w}}
	out.packed, _ = gzip.NewWriterLevel(&out.to, gzip.BestSpeed) // fails only for other levels
	out.whole.w = out.packed
	out.tar = tar.NewWriter(&out.whole)
	return out
}

// member writes a member whose content is data.
func (out *checkpointWriter) member(name string, data []byte) error {
	return out.add(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644}, data)
}

func (out *checkpointWriter) add(header *tar.Header, data []byte) error {
	if out.whole.n+int64(len(data)) > MaxCheckpoint-tarRoom {
		return &CheckpointError{Kind: CheckpointTooLarge}
	}
	header.Size = int64(len(data))
	err := out.tar.WriteHeader(header)
	switch {
	case err != nil && out.to.err == nil: // no tar can have it
		return &CheckpointError{Kind: CheckpointFiles, Err: err}
	case err != nil:
		return err
	}
	_, err = out.tar.Write(data)
	return err
}

// tarRoom is more than a tar has before and after the content of its last member.
const tarRoom = 64 << 10

// index writes the index.
func (out *checkpointWriter) index(value *checkpointIndex) error {
	data, err := json.MarshalIndent(value, "", "  ")
	var scale jsonScale
	scale.add(data)
	switch {
	case err != nil:
		return err
	case len(data) >= maxIndex, scale.weight > maxIndexWeight:
		return &CheckpointError{Kind: CheckpointTooLarge}
	}
	return out.member(indexMember, append(data, '\n'))
}

func (out *checkpointWriter) close() error {
	return errors.Join(out.tar.Close(), out.packed.Close())
}

func (out *checkpointWriter) written() int64 { return out.to.n }

// A checkpointReader reads the archive of a checkpoint, and no more of it than there
// may be.
type checkpointReader struct {
	ctx    context.Context
	source sourceReader
	packed *bufio.Reader
	whole  *gzip.Reader
	tar    *tar.Reader
	room   int64 // how many bytes may still come out of the archive
	listed int64 // and of the contents, which can be sparse
}

// A sourceReader remembers how its reader failed.
type sourceReader struct {
	ctx context.Context
	r   io.Reader
	err error
}

func (s *sourceReader) Read(p []byte) (int, error) {
	if s.err = s.ctx.Err(); s.err != nil {
		return 0, s.err
	}
	n, err := s.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// Read reads what was compressed.
func (in *checkpointReader) Read(p []byte) (int, error) {
	if in.room <= 0 {
		return 0, &CheckpointError{Kind: CheckpointTooLarge}
	}
	n, err := in.whole.Read(p[:min(int64(len(p)), in.room)])
	in.room -= int64(n)
	return n, err
}

func (in *checkpointReader) open() (err error) {
	in.packed = bufio.NewReader(&in.source)
	in.listed = in.room
	if in.whole, err = gzip.NewReader(in.packed); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	in.whole.Multistream(false)
	in.tar = tar.NewReader(in)
	return nil
}

// next is the next member's header, which has to be there.
func (in *checkpointReader) next() (*tar.Header, error) {
	if err := in.ctx.Err(); err != nil {
		return nil, err
	}
	header, err := in.tar.Next()
	if errors.Is(err, io.EOF) {
		return nil, malformed("a member is missing")
	}
	return header, err
}

// find is the next member, which has to have a name, to be read.
func (in *checkpointReader) find(name string) (io.Reader, error) {
	header, err := in.next()
	switch {
	case err != nil:
		return nil, err
	case header.Name != name || header.Typeflag != tar.TypeReg:
		return nil, malformed("its members aren't those that it should have")
	}
	return &contentReader{in}, nil
}

// A contentReader reads the content of a member.
type contentReader struct{ in *checkpointReader }

func (c *contentReader) Read(p []byte) (int, error) {
	if c.in.listed <= 0 {
		return 0, &CheckpointError{Kind: CheckpointTooLarge}
	}
	n, err := c.in.tar.Read(p[:min(int64(len(p)), c.in.listed)])
	c.in.listed -= int64(n)
	return n, err
}

// member reads the content of the next member, up to a number of bytes. Memory is taken for
// what is read, whatever length is claimed.
func (in *checkpointReader) member(name string, most int64) ([]byte, error) {
	content, err := in.find(name)
	if err != nil {
		return nil, err
	}
	data, err := readWhole(io.LimitReader(content, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, &CheckpointError{Kind: CheckpointTooLarge}
	}
	return data, err
}

func readWhole(r io.Reader) ([]byte, error) {
	var data bytes.Buffer
	_, err := io.Copy(&data, r)
	return data.Bytes(), err
}

// end reads to the end, which has to be there.
func (in *checkpointReader) end() error {
	const more = "there is something after its end"
	switch _, err := in.tar.Next(); {
	case err == nil:
		return malformed(more)
	case !errors.Is(err, io.EOF):
		return err
	}
	if n, err := io.Copy(io.Discard, in); err != nil || n > 0 { // gzip has checked its sum at its end
		return cmp.Or(err, malformed(more))
	}
	switch _, err := in.packed.ReadByte(); {
	case errors.Is(err, io.EOF):
		return nil
	case err == nil:
		return malformed(more)
	default:
		return err
	}
}

// explain gives an error its kind.
func (in *checkpointReader) explain(err error) error {
	switch {
	case err == nil || isA[*CheckpointError](err):
		return err
	case in.source.err != nil:
		return in.source.err
	case in.ctx.Err() != nil && errors.Is(err, in.ctx.Err()):
		return in.ctx.Err()
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &CheckpointError{Kind: CheckpointTruncated}
	default:
		return &CheckpointError{Kind: CheckpointMalformed, Err: err}
	}
}
