package verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// ManifestVersion is the version of the form in which manifests are written.
const ManifestVersion = 1

const (
	// MaxManifest is the most bytes that a manifest may have.
	MaxManifest = 64 << 20

	// ManifestValue is the longest value that a manifest keeps whole.
	ManifestValue = 200
)

// A Manifest tells what runs were made with, and what they showed, so that they can be
// made again.
type Manifest struct {
	Version  int              `json:"version"`
	Tool     string           `json:"tool"` // its version
	ABI      string           `json:"abi"`
	Go       string           `json:"go"`
	Platform string           `json:"platform"` // such as "linux/amd64"
	Engines  []ManifestEngine `json:"engines"`
	Scripts  []ManifestScript `json:"scripts"`
}

// A ManifestEngine is an engine that all scripts ran on.
type ManifestEngine struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// A ManifestScript is a script with what its runs showed.
type ManifestScript struct {
	File       string           `json:"file"`   // with slashes, from the manifest's folder
	SHA256     string           `json:"sha256"` // of the script itself, hexadecimal
	Modules    []ManifestModule `json:"modules"`
	Seed       uint64           `json:"seed"`
	StartTime  time.Time        `json:"start_time"`
	Limits     map[string]int64 `json:"limits"`
	Digest     string           `json:"digest"` // of the whole transcript, hexadecimal
	Transcript *Transcript      `json:"transcript"`

	// Calls are those that were made in the place of the script's own. Nil: it's these.
	Calls *ManifestCalls `json:"calls,omitempty"`

	// Workspace is a folder or a tar, named as File is, that was copied over what the
	// script puts into the workspace. "": there was none.
	Workspace string `json:"workspace,omitempty"`
}

// ManifestCalls are a file of calls.
type ManifestCalls struct {
	File   string `json:"file"`   // with slashes, from the manifest's folder
	SHA256 string `json:"sha256"` // hexadecimal
}

// A ManifestModule is a guest, command or program of a script.
type ManifestModule struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`

	// Stdin is the digest of what a guest reads, if it reads anything.
	Stdin string `json:"stdin_sha256,omitempty"`
}

// A VersionError says that a manifest is of a version that isn't known.
type VersionError struct{ Version int }

func (e *VersionError) Error() string {
	return fmt.Sprintf("the manifest has version %d, and only %d is known", e.Version, ManifestVersion)
}

// A ManifestError says what is wrong with a manifest.
type ManifestError struct {
	Field string // may be empty
	Err   error
}

func (e *ManifestError) Error() string {
	if e.Field == "" {
		return "the manifest can't be read: " + e.Err.Error()
	}
	return "the manifest can't be used: " + e.Field + ": " + e.Err.Error()
}

func (e *ManifestError) Unwrap() error { return e.Err }

// Append appends the manifest as JSON. One that has no version gets the present one.
func (m *Manifest) Append(b []byte) ([]byte, error) {
	out := *m
	if out.Version == 0 {
		out.Version = ManifestVersion
	}
	buffer := bytes.NewBuffer(b)
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(&out); err != nil {
		return b, err
	}
	if n := buffer.Len() - len(b); n > MaxManifest {
		return b, &ManifestError{Err: errTooLong}
	}
	return buffer.Bytes(), nil
}

var errTooLong = fmt.Errorf("it is longer than %d MiB", MaxManifest>>20)

// ReadManifest reads a manifest and checks it. The error is a *VersionError, a
// *ManifestError, or the reader's.
func ReadManifest(r io.Reader) (*Manifest, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxManifest+1))
	if err != nil {
		return nil, err
	}
	return ParseManifest(data)
}

// ReadManifestFile is ReadManifest for a file.
func ReadManifestFile(name string) (*Manifest, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadManifest(file)
}

// ParseManifest is ReadManifest for what has been read already.
func ParseManifest(data []byte) (*Manifest, error) {
	if len(data) > MaxManifest {
		return nil, &ManifestError{Err: errTooLong}
	}
	var head struct{ Version *int }
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, &ManifestError{Err: err}
	}
	switch {
	case head.Version == nil:
		return nil, &ManifestError{Field: "version", Err: errMissing}
	case *head.Version != ManifestVersion:
		return nil, &VersionError{*head.Version}
	}
	var m Manifest
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&m); err != nil {
		return nil, &ManifestError{Err: err}
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, &ManifestError{Err: errors.New("there is something after its end")}
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	return &m, nil
}
