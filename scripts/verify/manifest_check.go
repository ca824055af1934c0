package verify

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

var (
	errMissing = errors.New("is missing")
	errUnknown = errors.New("isn't known")
	errDigest  = errors.New("must be a SHA-256 of 64 hexadecimal digits")
	errOrder   = errors.New("its facts aren't in the order of the calls")
	errTwice   = errors.New("is there twice")
	errWords   = errors.New("isn't kept in a manifest, since other engines have other words")
)

// check looks for what a manifest can't be without.
func (m *Manifest) check() error {
	switch {
	case len(m.Engines) == 0:
		return &ManifestError{"engines", errMissing}
	case len(m.Scripts) == 0:
		return &ManifestError{"scripts", errMissing}
	}
	for i, e := range m.Engines {
		same := func(other ManifestEngine) bool { return other.Name == e.Name }
		switch {
		case e.Name == "":
			return &ManifestError{fmt.Sprintf("engines[%d].name", i), errMissing}
		case slices.ContainsFunc(m.Engines[:i], same):
			return &ManifestError{fmt.Sprintf("engines[%d].name", i), errTwice}
		}
	}
	for i := range m.Scripts {
		if field, err := m.Scripts[i].check(); err != nil {
			return &ManifestError{fmt.Sprintf("scripts[%d].%s", i, field), err}
		}
	}
	return nil
}

func (s *ManifestScript) check() (field string, err error) {
	switch {
	case s.File == "" || strings.ContainsRune(s.File, 0):
		return "file", errMissing
	case !isDigest(s.SHA256):
		return "sha256", errDigest
	case !isDigest(s.Digest):
		return "digest", errDigest
	case s.Calls != nil && (s.Calls.File == "" || strings.ContainsRune(s.Calls.File, 0)):
		return "calls.file", errMissing
	case s.Calls != nil && !isDigest(s.Calls.SHA256):
		return "calls.sha256", errDigest
	case s.StartTime.IsZero():
		return "start_time", errMissing
	case s.Transcript == nil || len(s.Transcript.Facts) == 0:
		return "transcript", errMissing
	}
	for i, module := range s.Modules {
		switch {
		case module.Name == "":
			return fmt.Sprintf("modules[%d].name", i), errMissing
		case !isDigest(module.SHA256):
			return fmt.Sprintf("modules[%d].sha256", i), errDigest
		case module.Stdin != "" && !isDigest(module.Stdin):
			return fmt.Sprintf("modules[%d].stdin_sha256", i), errDigest
		}
	}
	return s.Transcript.check()
}

// check makes sure that each fact is compared with one of a run.
func (t *Transcript) check() (field string, err error) {
	if t.Engine != "" {
		return "transcript.engine", errWords
	}
	last, fields := uint(0), map[string]bool{}
	for i, fact := range t.Facts {
		if place(fact.Call) != last {
			clear(fields)
		}
		switch {
		case fact.Call < AtEnd || place(fact.Call) < last:
			return fmt.Sprintf("transcript.facts[%d].call", i), errOrder
		case fact.Field == "":
			return fmt.Sprintf("transcript.facts[%d].field", i), errMissing
		case fields[fact.Field]:
			return fmt.Sprintf("transcript.facts[%d].field", i), errTwice
		case fact.EngineWords:
			return fmt.Sprintf("transcript.facts[%d].engine_words", i), errWords
		}
		last, fields[fact.Field] = place(fact.Call), true
	}
	return "", nil
}

func isDigest(text string) bool {
	sum, err := hex.DecodeString(text)
	return err == nil && len(sum) == 32
}
