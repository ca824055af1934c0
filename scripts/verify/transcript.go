package verify

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// A Transcript is all of a run that has to be the same in every other.
type Transcript struct {
	// Engine is what ran the guests. [Run] and [Session] don't know it. Where it is
	// another, facts that are in the engine's words aren't compared.
	Engine string `json:"engine,omitempty"`

	// Verdict is what the run came to, such as "held". It is one of the facts, too.
	Verdict string `json:"verdict"`

	// Facts are in the order in which they came: of the start, of each call, and of
	// the end.
	Facts []Fact `json:"facts"`
}

// A Fact is one thing that a run has shown.
type Fact struct {
	// Call is the index of the call that it is about, from zero, or AtStart or AtEnd.
	Call int `json:"call"`

	// Field is what it is about, such as "result.stdout".
	Field string `json:"field"`

	// Value is a text. Those of two runs are equal only if what they stand for is.
	Value string `json:"value"`

	// EngineWords says that another engine may use other words.
	EngineWords bool `json:"engine_words,omitempty"`
}

// What stands in the place of a call.
const (
	AtStart = -1 // before the first one
	AtEnd   = -2 // after the last one
)

// Digest is the SHA-256 of all facts that aren't in the engine's words.
func (t *Transcript) Digest() [sha256.Size]byte {
	h := sha256.New()
	var size [8]byte
	text := func(s string) {
		binary.LittleEndian.PutUint64(size[:], uint64(len(s)))
		h.Write(size[:])
		_, _ = io.WriteString(h, s)
	}
	for _, fact := range t.Facts {
		if fact.EngineWords {
			continue
		}
		binary.LittleEndian.PutUint64(size[:], uint64(fact.Call))
		h.Write(size[:])
		text(fact.Field)
		text(fact.Value)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// Calls counts the calls.
func (t *Transcript) Calls() int {
	calls := 0
	for _, fact := range t.Facts {
		calls = max(calls, fact.Call+1)
	}
	return calls
}

// Value is that of a fact, if there is one.
func (t *Transcript) Value(call int, field string) (value string, ok bool) {
	for _, fact := range t.Facts {
		if fact.Call == call && fact.Field == field {
			return fact.Value, true
		}
	}
	return "", false
}

// TimedOut is the first call whose command the workspace ended at its timeout. That may
// have been the real clock, by which runs can differ.
func (t *Transcript) TimedOut() (call int, found bool) {
	command := AtStart
	for _, fact := range t.Facts {
		switch {
		case fact.Field == "answered_by" && fact.Value == byWorkspace:
			command = fact.Call
		case fact.Field == "error.code" && fact.Value == timedOut && fact.Call == command:
			return command, true
		}
	}
	return 0, false
}

// How a transcript has what TimedOut looks for.
var (
	byWorkspace = strconv.Quote(host.OutcomeWorkspace.String())
	timedOut    = strconv.Quote(string(host.CodeExecTimeout))
)

// Portable is the transcript without what is in the engine's words, and with digests in
// the place of values longer than so many bytes. It is to be compared with others that
// are made portable with the same length.
func (t *Transcript) Portable(longest int) *Transcript {
	p := &Transcript{Verdict: t.Verdict, Facts: make([]Fact, 0, len(t.Facts))}
	for _, fact := range t.Facts {
		if fact.EngineWords {
			continue
		}
		fact.Value = shortened(fact.Value, longest)
		p.Facts = append(p.Facts, fact)
	}
	return p
}

// shownBytes is how much is left of a value in whose place there is a digest.
const shownBytes = 40

// shortened is a text, or its beginning, size and digest.
func shortened(text string, longest int) string {
	if len(text) <= max(longest, minValue) {
		return text
	}
	end := shownBytes
	for !utf8.RuneStart(text[end]) {
		end--
	}
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%s… (%d bytes, sha256 %s)", strings.TrimRight(text[:end], `\`), len(text), hex.EncodeToString(sum[:]))
}

// minValue is how long a value is at least before there is a digest in its place,
// which must not get longer by being shortened twice.
const minValue = 160
