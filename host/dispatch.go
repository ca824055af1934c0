package host

import (
	"context"
	"errors"
	"io"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// call makes a call, from its admission to its result; see Scripted. The struct that the
// request points to becomes the session's.
func (s *Scripted) call(ctx context.Context, request Request) (callResult, error) {
	if request != nil && !isNilValue(request) {
		if err := s.offer(request.Method()); err != nil {
			return callResult{}, err
		}
	}
	if err := s.admit(ctx); err != nil {
		return callResult{}, err
	}
	timed, cancel := s.timed(ctx)
	defer cancel()
	recorded, err := snapshotRequest(s.snapshotOptions(timed), request)
	if err != nil {
		return callResult{}, causedBy(ctx, s.inTime(timed, err))
	}
	if err := s.turn.Lock(timed); err != nil {
		return callResult{}, causedBy(ctx, s.inTime(timed, err))
	}
	var result callResult
	if err := s.answer(timed, recorded, &result); err != nil {
		return callResult{}, causedBy(ctx, err)
	}
	return result, nil
}

// exec makes a call of exec, which most calls are. One that needn't wait for its turn
// allocates nothing: the history has room for its request.
func (s *Scripted) exec(ctx context.Context, request *ExecRequest) (ExecResult, error) {
	if err := s.offer(MethodExec); err != nil {
		return ExecResult{}, err
	}
	if err := s.admit(ctx); err != nil {
		return ExecResult{}, err
	}
	if !s.turn.TryLock() {
		result, err := s.call(ctx, new(*request))
		return result.exec, err
	}
	timed, cancel := s.timed(ctx)
	defer cancel()
	var result callResult
	if err := s.answer(timed, s.history.keepExec(request), &result); err != nil {
		return ExecResult{}, causedBy(ctx, err)
	}
	return result.exec, nil
}

// answer makes a call with a request of the session's own. The caller has the turn. The
// result, which means nothing after an error, is put where it has to go: copying it from
// function to function took as long as a lock.
func (s *Scripted) answer(ctx context.Context, request Request, result *callResult) error {
	rec, step, err := s.claim(ctx, request)
	if err != nil {
		return err
	}
	err = s.inTime(ctx, s.outcome(ctx, rec, step, result))
	s.settle(rec, err)
	return err
}

// timed ends the context when the call has taken too long.
func (s *Scripted) timed(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := s.config.limits.CallTime
	if limit <= 0 {
		return ctx, untimed
	}
	return context.WithTimeoutCause(ctx, limit, &callTimeout{s})
}

func untimed() {}

// A callTimeout is why the context of a session's call has ended, and not that of another
// session, which a responder may have called with its own context.
type callTimeout struct{ session *Scripted }

func (t *callTimeout) Error() string {
	return (&CallTimeError{Limit: t.session.config.limits.CallTime}).Error()
}

// Is reports true for context.DeadlineExceeded.
func (t *callTimeout) Is(target error) bool { return target == context.DeadlineExceeded }

// inTime makes the error of a call, or none, a *CallTimeError if the context has ended
// because the call took too long.
func (s *Scripted) inTime(ctx context.Context, err error) error {
	if s.config.limits.CallTime <= 0 || ctx.Err() == nil || err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	cause, ok := context.Cause(ctx).(*callTimeout) //nolint:errorlint // which isn't wrapped
	if !ok || cause.session != s || isA[*CallTimeError](err) {
		return err
	}
	return &CallTimeError{Limit: s.config.limits.CallTime, Err: err}
}

// offer turns down a method that isn't visible. Such a call isn't recorded.
func (s *Scripted) offer(method Method) error {
	if s.visible.has(method) {
		return nil
	}
	s.refuse(method)
	return &UnsupportedError{Method: method}
}

// admit turns down what isn't recorded for another reason.
func (s *Scripted) admit(ctx context.Context) error {
	if s.lifecycle.closed() {
		return ErrClosed
	}
	if matchesFor(ctx, s) {
		return ErrReentrantMatch
	}
	return causedBy(ctx, ctx.Err())
}

// refuse counts a call of a method that isn't visible.
func (s *Scripted) refuse(method Method) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused == nil {
		s.refused = map[Method]int{}
	}
	s.refused[method]++
}

// claim records the call and consumes its step, and ends the turn, so that other calls
// can. The error says that the step, if there is one, stays.
func (s *Scripted) claim(ctx context.Context, request Request) (*record, *step, error) {
	defer s.turn.Unlock()
	if s.lifecycle.closed() { // while the call waited
		return nil, nil, ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, s.inTime(ctx, err)
	}

	rec, head, err := s.record(request)
	if err == nil && head != nil && head.Match != nil {
		err = s.match(ctx, rec, head)
	}
	if err != nil {
		err = s.inTime(ctx, err)
		s.settle(rec, err)
		return nil, nil, err
	}
	return rec, head, nil
}

// record gives the call its index, and finds the step it has to fit: none if the
// workspace answers. A step without a matcher is consumed.
func (s *Scripted) record(request Request) (*record, *step, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var head *step
	position := -1
	if s.next < len(s.steps) {
		head, position = &s.steps[s.next], s.next
	}
	fits := head != nil && head.Method == request.Method()
	if s.backing != nil && s.backing.answers(request.Method(), fits) {
		rec := s.history.add(request, -1)
		rec.state |= stateWorkspace
		return rec, nil, nil
	}
	rec := s.history.add(request, position)
	switch {
	case head == nil:
		return rec, nil, &UnexpectedCallError{Call: rec.call()}
	case !fits:
		return rec, nil, &UnexpectedCallError{Call: rec.call(), Expected: head.Method, Remaining: len(s.steps) - s.next}
	case head.Match == nil:
		s.consume(rec)
	}
	return rec, head, nil
}

// match asks the step's matcher, and consumes the step unless it is rejected.
func (s *Scripted) match(ctx context.Context, rec *record, head *step) error {
	verdict, err := runMatcher(&scope{Context: ctx, session: s, record: rec, matching: true}, head.Match, rec.call())
	switch {
	case err != nil:
		return err
	case verdict.Answer == abi.AnswerReject:
		return &MatcherRejectedError{Call: rec.call(), Reason: verdict.Reason, Differences: verdict.Differences}
	}
	if err := s.inTime(ctx, nil); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.consume(rec)
	return nil
}

// consume takes the next step for a call. It is called under the lock.
func (s *Scripted) consume(rec *record) {
	s.next++
	rec.state |= stateConsumed
}

// outcome produces the result of a consumed step, or without one the workspace's.
func (s *Scripted) outcome(ctx context.Context, rec *record, step *step, result *callResult) error {
	if step == nil {
		value, err := s.backing.run(&scope{Context: ctx, session: s, record: rec}, rec)
		if err == nil {
			result.set(value)
		}
		return err
	}
	switch step.Outcome.kind {
	case OutcomeError:
		return step.Outcome.err
	case OutcomeResponder:
		if guest, ok := step.Outcome.responder.(*GuestResponder); ok {
			return s.askGuest(ctx, guest, rec, result)
		}
		return s.askResponder(ctx, step, rec, result)
	default:
		result.set(step.Outcome.result)
		return nil
	}
}

// askGuest has a guest answer a call. Its results need no copy and no other form.
func (s *Scripted) askGuest(ctx context.Context, r *GuestResponder, rec *record, result *callResult) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = newPanicError("responder", p)
		}
	}()
	g, err := s.guests.get(r.module)
	if err != nil {
		return err
	}
	return g.respondCall(ctx, &r.handler, rec, rec.call(), result)
}

// askResponder has any other responder answer a call.
func (s *Scripted) askResponder(ctx context.Context, step *step, rec *record, result *callResult) error {
	value, err := runResponder(&scope{Context: ctx, session: s, record: rec}, step.Outcome.responder, rec.call())
	if err != nil {
		return err
	}
	defer closeResult(value)
	if step.Method.Void() {
		return nil
	}
	value, err = coerceResult(s.snapshotOptions(ctx), step.Method, value)
	result.set(value)
	return err
}

// settle notes that a call has ended, and with which error.
func (s *Scripted) settle(rec *record, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rec.state |= stateDone
	if err != nil {
		rec.details().err = err
	}
}

func runMatcher(ctx context.Context, m Matcher, call Call) (verdict Verdict, err error) {
	defer func() {
		if p := recover(); p != nil {
			verdict, err = Verdict{}, newPanicError("matcher", p)
		}
	}()
	return m.Match(ctx, call)
}

func runResponder(ctx context.Context, r Responder, call Call) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, newPanicError("responder", p)
		}
	}()
	return r.Respond(ctx, call)
}

// closeResult closes what a responder opened to be read. What that fails with
// says nothing of the content, which has been read.
func closeResult(result any) {
	defer func() { _ = recover() }()
	if closer, ok := result.(io.Closer); ok && !isNilValue(result) {
		_ = closer.Close()
	}
}
