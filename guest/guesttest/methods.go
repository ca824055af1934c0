package guesttest

import (
	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/guest"
)

// ApplyPatch has a responder answer apply_patch. It fails as [Session.Respond]
// does, as do the methods below.
func (s *Session) ApplyPatch(name string, req *guest.ApplyPatchRequest) (string, error) {
	s.t.Helper()
	out, err := s.Respond(name, req)
	if err != nil {
		return "", err
	}
	return *out.Text, nil
}

// Exec has a responder answer exec.
func (s *Session) Exec(name string, req *guest.ExecRequest) (*abi.ExecResult, error) {
	s.t.Helper()
	out, err := s.Respond(name, req)
	if err != nil {
		return nil, err
	}
	return out.Exec, nil
}

// Ls has a responder answer ls.
func (s *Session) Ls(name string, req *guest.LsRequest) ([]guest.FileEntry, error) {
	s.t.Helper()
	out, err := s.Respond(name, req)
	if err != nil {
		return nil, err
	}
	return out.Listing.Entries, nil
}

// Mkdir has a responder answer mkdir.
func (s *Session) Mkdir(name string, req *guest.MkdirRequest) error {
	s.t.Helper()
	_, err := s.Respond(name, req)
	return err
}

// PTYExecStart has a responder answer pty_exec_start.
func (s *Session) PTYExecStart(name string, req *guest.PTYExecStartRequest) (*abi.PTYUpdate, error) {
	s.t.Helper()
	out, err := s.Respond(name, req)
	if err != nil {
		return nil, err
	}
	return out.PTY, nil
}

// PTYWriteStdin has a responder answer pty_write_stdin.
func (s *Session) PTYWriteStdin(name string, req *guest.PTYWriteStdinRequest) (*abi.PTYUpdate, error) {
	s.t.Helper()
	out, err := s.Respond(name, req)
	if err != nil {
		return nil, err
	}
	return out.PTY, nil
}

// Read has a responder answer read.
func (s *Session) Read(name string, req *guest.ReadRequest) (*abi.Stream, error) {
	s.t.Helper()
	out, err := s.Respond(name, req)
	if err != nil {
		return nil, err
	}
	return out.Stream, nil
}

// Rm has a responder answer rm.
func (s *Session) Rm(name string, req *guest.RmRequest) error {
	s.t.Helper()
	_, err := s.Respond(name, req)
	return err
}

// Write has a responder answer write.
func (s *Session) Write(name string, req *guest.WriteRequest) error {
	s.t.Helper()
	_, err := s.Respond(name, req)
	return err
}
