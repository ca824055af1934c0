package host

import (
	"context"
	"io"
	"maps"
	"sync"
	"sync/atomic"
)

// A Scripted session answers calls from a list of steps, first in, first out, and
// from its workspace if it has one, and records every call. NewScripted makes one;
// all methods are safe for concurrent use.
//
// One call takes this way (S2.10):
//
//  1. its arguments are copied; if they can't be, it is as if it weren't made
//  2. it is recorded, and gets the next index
//  3. the step at the head of the script must be for its method, and the step's
//     matcher must accept it; otherwise the step stays and the call fails with a
//     *UnexpectedCallError or *MatcherRejectedError. If there is no step for it, but
//     a workspace that may answer, the workspace does, and no step is consumed
//  4. the step is consumed
//  5. its result is returned, its error is returned, or its responder runs
//
// Calls take turns from 2 to 4; responders may overlap.
type Scripted struct {
	config  config
	steps   []step
	visible methodSet
	turn    ctxMutex
	guests  guestSet
	fuel    atomic.Int64 // used by all that ran
	backing *backing     // nil: there is no workspace

	mu      sync.Mutex
	next    int // of steps
	history history
	refused map[Method]int

	lifecycle lifecycle
}

// NewScripted makes a session of steps. The manifest is validated first: its defects
// are *SandboxErrors. Then all steps are, in their order; the first defect is returned
// as an *InvalidStepError (S1.7). What a workspace can't be made of is a
// *WorkspaceConfigError or a *LimitValueError of package archive, and what its Seed fails with
// is returned as it is. The session owns nothing of the caller's: changing a step,
// result or manifest later has no effect.
//
// A session that has guest handlers owns memory until it is closed.
func NewScripted(steps []Step, opts ...Option) (*Scripted, error) {
	s := &Scripted{
		config: defaultConfig(),
		steps:  make([]step, 0, len(steps)),
	}
	for _, opt := range opts {
		if opt != nil {
			opt(&s.config)
		}
	}
	var err error
	if s.config.policy, err = s.config.manifest.validate(); err != nil {
		return nil, err
	}
	snapshot := s.snapshotOptions(context.Background())
	for i, spec := range steps {
		step, err := newStep(snapshot, i, spec)
		if err == nil && s.config.precedence(spec.Method) == WorkspaceOnly {
			err = unreachableStep(i, spec.Method)
		}
		if err != nil {
			return nil, err
		}
		s.steps = append(s.steps, step)
		s.visible = s.visible.with(spec.Method)
	}
	s.guests.init(s)
	if s.config.workspace == nil {
		return s, nil
	}
	if s.backing, err = newBacking(s); err != nil {
		return nil, err
	}
	s.addWorkspaceMethods()
	return s, nil
}

var _ Session = (*Scripted)(nil)

// Exec runs a command, as the script or the workspace says.
func (s *Scripted) Exec(ctx context.Context, req ExecRequest) (ExecResult, error) {
	return s.exec(ctx, &req)
}

// Read gives a file, as the script or the workspace says. The reader is a *StreamReader.
func (s *Scripted) Read(ctx context.Context, req ReadRequest) (io.ReadCloser, error) {
	stream, err := callAs[Stream](ctx, s, &req)
	if err != nil {
		return nil, err
	}
	return stream.Reader(), nil
}

// Write replaces a file, as the script or the workspace says. What the step produced is dropped (S2.27).
func (s *Scripted) Write(ctx context.Context, req WriteRequest) error {
	_, err := s.call(ctx, &req)
	return err
}

// Ls lists a folder, as the script or the workspace says.
func (s *Scripted) Ls(ctx context.Context, req LsRequest) ([]FileEntry, error) {
	return callAs[[]FileEntry](ctx, s, &req)
}

// Rm removes a file or folder, as the script or the workspace says. What the step produced is dropped (S2.27).
func (s *Scripted) Rm(ctx context.Context, req RmRequest) error {
	_, err := s.call(ctx, &req)
	return err
}

// Mkdir makes a folder, as the script or the workspace says. What the step produced is dropped (S2.27).
func (s *Scripted) Mkdir(ctx context.Context, req MkdirRequest) error {
	_, err := s.call(ctx, &req)
	return err
}

// ApplyPatch changes files as a patch says, as the script or the workspace says.
func (s *Scripted) ApplyPatch(ctx context.Context, req ApplyPatchRequest) (string, error) {
	return callAs[string](ctx, s, &req)
}

// PTYExecStart starts a command in a terminal, as the script or the workspace says.
func (s *Scripted) PTYExecStart(ctx context.Context, req PTYExecStartRequest) (PTYUpdate, error) {
	return callAs[PTYUpdate](ctx, s, &req)
}

// PTYWriteStdin types into a terminal, as the script or the workspace says.
func (s *Scripted) PTYWriteStdin(ctx context.Context, req PTYWriteStdinRequest) (PTYUpdate, error) {
	return callAs[PTYUpdate](ctx, s, &req)
}

// Do makes the call that a request is for, for callers that get their requests
// at run time. The result is ExecResult, Stream, []FileEntry, string or
// PTYUpdate, and nil for the void methods.
func (s *Scripted) Do(ctx context.Context, request Request) (any, error) {
	result, err := s.call(ctx, copyStruct(request))
	if err != nil {
		return nil, err
	}
	return result.value(request.Method()), nil
}

func callAs[T any](ctx context.Context, s *Scripted, request Request) (T, error) {
	result, err := s.call(ctx, request)
	if err != nil {
		var zero T
		return zero, err
	}
	return result.other.(T), nil
}

// Supports reports whether some step of the script names the method, or for a
// PTY method, either of the two (S4.1, S4.2), or the workspace answers it. It
// doesn't change as steps are consumed.
func (s *Scripted) Supports(method Method) bool { return s.visible.has(method) }

// SupportsPTY reports whether the PTY methods can be called (S4.4).
func (s *Scripted) SupportsPTY() bool { return s.Supports(MethodPTYExecStart) }

// Methods lists the methods that Supports is true for (S4.7).
func (s *Scripted) Methods() []Method { return s.visible.list() }

// Calls gives all calls recorded, in the order of their indexes: also those
// that failed (S2.12). The caller owns the slice.
func (s *Scripted) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := make([]Call, 0, s.history.length)
	for r := range s.history.from(0) {
		calls = append(calls, r.call())
	}
	return calls
}

// History gives all calls with what became of them. The caller owns the slice.
func (s *Scripted) History() []Record { return s.HistoryFrom(0) }

// HistoryFrom is History without the calls whose index is below one: what came
// since that many calls were recorded. The caller owns the slice.
func (s *Scripted) HistoryFrom(index int) []Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	records := make([]Record, 0, max(s.history.length-max(index, 0), 0))
	for r := range s.history.from(index) {
		records = append(records, r.public(s.steps))
	}
	return records
}

// Refused counts the calls, by method, that failed with an *UnsupportedError.
// They aren't part of the history (S4.6). The caller owns the map; it is nil when
// there were none.
func (s *Scripted) Refused() map[Method]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.refused)
}

// Fuel is what the guests, commands, programs and tools of the session have used, in
// the units of [Limits]: for its calls, and to close the guests.
func (s *Scripted) Fuel() int64 { return s.fuel.Load() }

// RemainingSteps counts the steps not consumed (S3.14).
func (s *Scripted) RemainingSteps() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.steps) - s.next
}

// PendingSteps gives the steps not consumed, in their order, as they were made.
// Results in them must not be changed. The caller owns the slice.
func (s *Scripted) PendingSteps() []Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	pending := make([]Step, 0, len(s.steps)-s.next)
	for _, step := range s.steps[s.next:] {
		pending = append(pending, step.Step)
	}
	return pending
}

// AssertComplete returns an *UnconsumedStepsError unless all steps were
// consumed. It changes nothing, and says nothing of calls beyond the script
// (S3.19, S3.20): History has these.
func (s *Scripted) AssertComplete() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := s.steps[s.next:]
	if len(left) == 0 {
		return nil
	}
	pending := make([]Method, len(left))
	for i, step := range left {
		pending[i] = step.Method
	}
	return &UnconsumedStepsError{Remaining: len(left), Pending: pending}
}

func (s *Scripted) snapshotOptions(ctx context.Context) snapshotOptions {
	return snapshotOptions{ctx: ctx, streamLimit: s.config.streamLimit}
}
