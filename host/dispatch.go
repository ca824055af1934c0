package host

import (
	"context"
	"io"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// call is the way of every call; see Scripted. The struct that the request points
// to becomes the session's.
func (s *Scripted) call(ctx context.Context, request Request) (any, error) {
	if err := s.admit(ctx, request); err != nil {
		return nil, err
	}
	recorded, err := snapshotRequest(s.snapshotOptions(ctx), request)
	if err != nil {
		return nil, err
	}
	rec, step, err := s.claim(ctx, recorded)
	if err != nil {
		return nil, err
	}
	result, err := s.outcome(ctx, rec, step)
	s.settle(rec, err)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// admit turns down what isn't recorded.
func (s *Scripted) admit(ctx context.Context, request Request) error {
	if request != nil && !isNilValue(request) {
		if method := request.Method(); !s.visible.has(method) {
			s.refuse(method)
			return &UnsupportedError{Method: method}
		}
	}
	if s.lifecycle.closed() {
		return ErrClosed
	}
	if matchesFor(ctx, s) {
		return ErrReentrantMatch
	}
	return ctx.Err()
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

// claim records the call and consumes its step, while no other call does. The
// error says that the step, if there is one, stays.
func (s *Scripted) claim(ctx context.Context, request Request) (*record, *step, error) {
	if err := s.turn.take(ctx); err != nil {
		return nil, nil, err
	}
	defer s.turn.give()
	if s.lifecycle.closed() { // while the call waited
		return nil, nil, ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}

	rec, head, err := s.record(request)
	if err == nil {
		err = s.match(ctx, rec, head)
	}
	if err != nil {
		s.settle(rec, err)
		return nil, nil, err
	}
	s.consume(rec)
	return rec, head, nil
}

// record gives the call its index, and finds the step it has to fit.
func (s *Scripted) record(request Request) (*record, *step, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == len(s.steps) {
		rec := s.history.add(request, -1)
		return rec, nil, &UnexpectedCallError{Call: rec.call()}
	}
	rec, head := s.history.add(request, s.next), &s.steps[s.next]
	if head.Method != request.Method() {
		return rec, nil, &UnexpectedCallError{Call: rec.call(), Expected: head.Method, Remaining: len(s.steps) - s.next}
	}
	return rec, head, nil
}

// match asks the step's matcher, if it has one.
func (s *Scripted) match(ctx context.Context, rec *record, head *step) error {
	if head.Match == nil {
		return nil
	}
	verdict, err := runMatcher(&scope{Context: ctx, session: s, record: rec, matching: true}, head.Match, rec.call())
	switch {
	case err != nil:
		return err
	case verdict.Answer == abi.AnswerReject:
		return &MatcherRejectedError{Call: rec.call(), Reason: verdict.Reason, Differences: verdict.Differences}
	default:
		return nil
	}
}

func (s *Scripted) consume(rec *record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	rec.state |= stateConsumed
}

// outcome produces the answer of a consumed step.
func (s *Scripted) outcome(ctx context.Context, rec *record, step *step) (any, error) {
	switch step.Outcome.kind {
	case OutcomeError:
		return nil, step.Outcome.err
	case OutcomeResponder:
		result, err := runResponder(&scope{Context: ctx, session: s, record: rec}, step.Outcome.responder, rec.call())
		if err != nil {
			return nil, err
		}
		defer closeResult(result)
		if step.Method.Void() {
			return nil, nil
		}
		return coerceResult(s.snapshotOptions(ctx), step.Method, result)
	default:
		return step.Outcome.result, nil
	}
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
