package archive

import (
	"archive/tar"
	"errors"
	"io"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// readTar puts the members of a tar into a plan for Extract.
func readTar(p *plan, data []byte) error {
	from, err := decompress(p.ctx, data, p.streamLimit())
	s, err := openTar(p, from, err)
	if err != nil {
		return err
	}
	defer s.close()
	for {
		header, err := s.next()
		switch {
		case err == io.EOF:
			return s.finish()
		case err != nil:
			return err
		}
		m, reason := tarMember(header, false)
		if m == nil {
			continue
		}
		if err := p.take(m, reason); err != nil {
			return err
		}
		if err := p.checkAbove(m); err != nil {
			return err
		}
		if err := p.checkBelow(m); err != nil {
			return err
		}
		if m.content, err = s.content(m, header); err != nil {
			return err
		}
	}
}

// take puts a member into the plan after the checks that all archives have in
// common. A reason is what is known to be wrong with it.
func (p *plan) take(m *member, reason Reason) error {
	if reason != "" {
		return p.refuse(m, reason, "", nil)
	}
	if err := workspace.ValidatePath(below(p.dest, m.rel)); err != nil {
		return p.refuse(m, ReasonName, "", err)
	}
	if err := p.countIn(m); err != nil {
		return err
	}
	return p.add(m)
}

// tarMember is the member that a header tells of, nil for one that tells of none,
// with what is unsafe about it (S6.29).
func tarMember(h *tar.Header, links bool) (*member, Reason) {
	m := &member{name: h.Name, kind: kindFile}
	switch h.Typeflag {
	case tar.TypeXGlobalHeader:
		return nil, ""
	case tar.TypeDir:
		m.name, m.kind = strings.TrimRight(h.Name, "/"), kindDir
	case tar.TypeSymlink:
		m.kind, m.target = kindLink, h.Linkname
	}
	reason := ReasonType
	switch h.Typeflag {
	case tar.TypeReg, tar.TypeCont, tar.TypeGNUSparse:
		m.size, reason = h.Size, ""
	case tar.TypeDir:
		reason = ""
	case tar.TypeLink:
		reason = ReasonHardlink
	case tar.TypeSymlink:
		if reason = ReasonSymlink; links {
			reason = ""
		}
	}
	if isRootName(m.name) {
		return rootMember(m, h)
	}
	if unsafe := checkName(m.name); unsafe != "" {
		return m, unsafe
	}
	if m.rel = relative(m.name); m.rel == "" && reason == "" {
		return rootMember(m, h)
	}
	return m, reason
}

// rootMember is a member that is the folder itself, which is no member.
func rootMember(m *member, h *tar.Header) (*member, Reason) {
	switch h.Typeflag {
	case tar.TypeDir:
		return nil, ""
	case tar.TypeSymlink:
		return m, ReasonRootSymlink
	case tar.TypeLink:
		return m, ReasonRootHardlink
	}
	return m, ReasonRootNotDirectory
}

// A tarSource is a tar that is read, compressed or not.
type tarSource struct {
	plan   *plan
	tar    *tar.Reader
	stream stream
}

// openTar begins to read what decompress or decompressStream gave.
func openTar(p *plan, from stream, err error) (*tarSource, error) {
	s := &tarSource{plan: p, stream: from}
	if err != nil {
		return nil, s.failed("", err)
	}
	s.tar = tar.NewReader(from)
	return s, nil
}

func (s *tarSource) close() { s.stream.close() }

// next reads a header. The error io.EOF says that there are no more.
func (s *tarSource) next() (*tar.Header, error) {
	header, err := s.tar.Next()
	switch {
	case errors.Is(err, tar.ErrInsecurePath): // which is checked here, with reasons
		err = nil
	case err == io.EOF && s.stream.read() == 0:
		err = s.failed("", errEmpty)
	case err != nil && err != io.EOF:
		err = s.failed("", err)
	}
	return header, err
}

var errEmpty = errors.New("there is nothing in it")

// failed says that the archive can't be read on.
func (s *tarSource) failed(member string, err error) error {
	if ended := s.plan.ctx.Err(); ended != nil {
		return ended
	}
	var tooMuch *streamLimitError
	if errors.As(err, &tooMuch) {
		return &LimitError{
			Path: s.plan.path, Member: member, Reason: ReasonStreamBytes,
			Limit: tooMuch.limit, Actual: tooMuch.limit + 1,
		}
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return &CorruptError{Path: s.plan.path, Member: member, Err: err}
}

// content reads what a file has in it.
func (s *tarSource) content(m *member, h *tar.Header) ([]byte, error) {
	if m.kind != kindFile {
		return nil, nil
	}
	if !isSparse(h) {
		if part, ok := s.stream.share(m.size); ok {
			return part, nil
		}
	}
	content, err := readExactly(s.tar, m.size)
	if err != nil {
		return nil, s.failed(m.name, err)
	}
	return content, nil
}

// isSparse reports a file whose bytes aren't in the archive one by one.
func isSparse(h *tar.Header) bool {
	if h.Typeflag == tar.TypeGNUSparse {
		return true
	}
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return false
}

// finish reads what is behind the last member, for checksums of the compression
// that are there.
func (s *tarSource) finish() error {
	if err := s.stream.drain(); err != nil {
		return s.failed("", err)
	}
	return nil
}

// trusted is how much memory a stream gets for saying that there is so much.
const trusted = 16 << 20

// readExactly reads that many bytes, and takes memory as they come.
func readExactly(r io.Reader, size int64) ([]byte, error) {
	data := make([]byte, min(size, trusted))
	for done := 0; ; {
		n, err := io.ReadFull(r, data[done:])
		if done += n; err != nil {
			return nil, err
		}
		if int64(done) == size {
			return data, nil
		}
		larger := make([]byte, min(size, 4*int64(done)))
		copy(larger, data)
		data = larger
	}
}
