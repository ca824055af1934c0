package host

import (
	"iter"
	"slices"
	"sync/atomic"
)

// record is what a session keeps of a call. There may be millions, so that it
// holds what most calls need, and a pointer to what few do. It is read and
// written under the session's lock, but for the fuel; its request never changes.
type record struct {
	request Request
	index   int32
	head    int32 // position of the step that was asked; -1: none was
	state   recordState
	fuel    atomic.Int64
	more    *recordDetails
}

// recordState is how far a call has come.
type recordState uint8

const (
	stateConsumed  recordState = 1 << iota // the step is taken
	stateDone                              // the call has returned
	stateWorkspace                         // the workspace answers
)

type recordDetails struct {
	err  error
	logs []LogEntry
}

func (r *record) call() Call { return Call{index: int(r.index), request: r.request} }

func (r *record) details() *recordDetails {
	if r.more == nil {
		r.more = new(recordDetails)
	}
	return r.more
}

// public is the record as users see it.
func (r *record) public(steps []step) Record {
	p := Record{Call: r.call(), Step: -1, Done: r.state&stateDone != 0, Fuel: r.fuel.Load()}
	if r.state&stateWorkspace != 0 {
		p.Outcome = OutcomeWorkspace
	}
	if r.head >= 0 {
		head := &steps[r.head]
		p.Expected, p.Source = head.Method, head.Source
		if r.state&stateConsumed != 0 {
			p.Step, p.Outcome = head.index, head.Outcome.kind
		}
	}
	if r.more != nil {
		p.Err, p.Logs = r.more.err, slices.Clone(r.more.logs)
	}
	return p
}

// history is the records of a session, in chunks, so that a record stays where
// it is and a long history isn't copied as it grows. Chunks start small and
// double, so that a short history is small.
type history struct {
	chunks [][]record
	length int

	// These are used under the session's turn.
	execs slab[ExecRequest]
	parts slab[string] // of their commands
}

// The capacities of the first and of the largest chunks, in records.
const (
	firstChunk = 8
	largeChunk = 1024
)

// add keeps a new record, and gives it its index.
func (h *history) add(request Request, head int) *record {
	last := len(h.chunks) - 1
	if last < 0 || len(h.chunks[last]) == cap(h.chunks[last]) {
		last++
		h.chunks = append(h.chunks, make([]record, 0, min(firstChunk<<min(last, 16), largeChunk)))
	}
	chunk := append(h.chunks[last], record{request: request, index: int32(h.length), head: int32(head)})
	h.chunks[last] = chunk
	h.length++
	return &chunk[len(chunk)-1]
}

// The most requests and parts of commands that are allocated at once.
const (
	mostExecs = 64
	mostParts = 256
)

// keepExec copies a request of exec for a record. It is what most requests are.
func (h *history) keepExec(request *ExecRequest) *ExecRequest {
	kept := &h.execs.cut(1, mostExecs)[0]
	*kept = *request
	kept.Command = h.parts.clone(request.Command, mostParts)
	kept.Shell.Argv = h.parts.clone(request.Shell.Argv, mostParts)
	return kept
}

// from iterates over the records from an index on.
func (h *history) from(index int) iter.Seq[*record] {
	return func(yield func(*record) bool) {
		for _, chunk := range h.chunks {
			skipped := min(max(index, 0), len(chunk))
			index -= len(chunk)
			for i := range chunk[skipped:] {
				if !yield(&chunk[skipped+i]) {
					return
				}
			}
		}
	}
}
