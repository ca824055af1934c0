package host

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
)

// ErrBusy is what a lifecycle method answers while Close or the pre-stop hooks
// run, for instance when a hook calls it. Waiting could last for ever.
var ErrBusy = errors.New("host: the session is running its hooks or closing")

// A Hook is run before a session stops.
type Hook func(ctx context.Context) error

// lifecycle is the part of a session's state that has nothing to do with its
// script (S2.17).
type lifecycle struct {
	mu           sync.Mutex
	running      bool
	ended        bool // closed, or closing
	busy         bool // hooks or closers are running
	hooks        []Hook
	dependencies []io.Closer
	skipped      []string // paths, sorted
}

func (l *lifecycle) closed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ended
}

// Start makes the session running. It does nothing else: no manifest is applied
// and no step is used. Starting twice is fine; after Close it is ErrClosed.
func (s *Scripted) Start(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l := &s.lifecycle
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return ErrClosed
	}
	l.running = true
	return nil
}

// Stop makes the session not running. It never fails.
func (s *Scripted) Stop(context.Context) error {
	l := &s.lifecycle
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running = false
	return nil
}

// Shutdown does what Stop does: there is nothing behind a scripted session.
func (s *Scripted) Shutdown(ctx context.Context) error { return s.Stop(ctx) }

// Running reports whether the session is started and not stopped. A session
// answers calls in either state.
func (s *Scripted) Running() bool {
	s.lifecycle.mu.Lock()
	defer s.lifecycle.mu.Unlock()
	return s.lifecycle.running
}

// Close runs the pre-stop hooks that haven't run, stops, shuts down, closes the
// guests and then the dependencies, newest first. Whatever fails, the rest is
// done all the same, and all errors are returned, joined in that order (S5.7 to
// S5.10). Closing again does nothing.
//
// Close doesn't wait for calls in progress, but for guests that are working for
// one: their call ends first, or is ended by its context.
func (s *Scripted) Close(ctx context.Context) error {
	l := &s.lifecycle
	first, err := l.end()
	if err != nil || !first {
		return err
	}
	defer l.leave()
	return errors.Join(
		s.drainHooks(ctx),
		s.Stop(ctx),
		s.Shutdown(ctx),
		s.guests.close(ctx),
		s.closeDependencies(),
	)
}

// enter begins work that must not be begun again while it lasts.
func (l *lifecycle) enter() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.busy {
		return ErrBusy
	}
	l.busy = true
	return nil
}

func (l *lifecycle) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.busy = false
}

// end enters, and closes the session; false: it was closed before.
func (l *lifecycle) end() (first bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.busy {
		return false, ErrBusy
	}
	first = !l.ended
	l.busy, l.ended = first, true
	return first, nil
}

// RegisterPreStopHook adds a hook to run before the session stops. Hooks run
// once, in the order they were registered.
func (s *Scripted) RegisterPreStopHook(hook Hook) error {
	if hook == nil {
		return errors.New("host: the hook is nil")
	}
	l := &s.lifecycle
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended && !l.busy {
		return ErrClosed
	}
	l.hooks = append(l.hooks, hook)
	return nil
}

// RunPreStopHooks runs the hooks that haven't run yet, also those that a hook
// registers meanwhile. A hook that fails doesn't keep the others from running;
// the errors are joined (S5.16). Called from a hook it is ErrBusy.
func (s *Scripted) RunPreStopHooks(ctx context.Context) error {
	if err := s.lifecycle.enter(); err != nil {
		return err
	}
	defer s.lifecycle.leave()
	return s.drainHooks(ctx)
}

func (s *Scripted) drainHooks(ctx context.Context) error {
	var errs []error
	for {
		hook, ok := s.lifecycle.takeHook()
		if !ok {
			return errors.Join(errs...)
		}
		errs = append(errs, runHook(ctx, hook))
	}
}

func (l *lifecycle) takeHook() (Hook, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.hooks) == 0 {
		return nil, false
	}
	hook := l.hooks[0]
	l.hooks = l.hooks[1:]
	return hook, true
}

func runHook(ctx context.Context, hook Hook) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = newPanicError("hook", p)
		}
	}()
	return hook(ctx)
}

// AddDependency makes the session close something when it is closed itself.
// Dependencies are closed newest first, each once (S5.24).
func (s *Scripted) AddDependency(dependency io.Closer) error {
	if dependency == nil || isNilValue(dependency) {
		return errors.New("host: the dependency is nil")
	}
	l := &s.lifecycle
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return ErrClosed
	}
	l.dependencies = append(l.dependencies, dependency)
	return nil
}

func (s *Scripted) closeDependencies() error {
	l := &s.lifecycle
	l.mu.Lock()
	dependencies := l.dependencies
	l.dependencies = nil
	l.mu.Unlock()

	var errs []error
	for _, dependency := range slices.Backward(dependencies) {
		errs = append(errs, closeDependency(dependency))
	}
	return errors.Join(errs...)
}

func closeDependency(dependency io.Closer) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = newPanicError("dependency", p)
		}
	}()
	return dependency.Close()
}

// RegisterPersistSkipPath keeps a path out of a persisted workspace, and
// returns its normal form, relative to the root. The errors are those of S5.27.
func (s *Scripted) RegisterPersistSkipPath(name string) (string, error) {
	rel, err := relativePath(name)
	if err != nil {
		return "", err
	}
	if mount, overlaps := s.config.manifest.overlappingMount(rel); overlaps {
		return "", NewSandboxError(CodeMountConfig, map[string]any{"skip_path": rel, "mount_path": mount}, nil)
	}
	l := &s.lifecycle
	l.mu.Lock()
	defer l.mu.Unlock()
	if i, found := slices.BinarySearch(l.skipped, rel); !found {
		l.skipped = slices.Insert(l.skipped, i, rel)
	}
	return rel, nil
}

// PersistSkipPaths lists what is kept out of a persisted workspace: the
// manifest's ephemeral paths and those registered, sorted (S5.28).
func (s *Scripted) PersistSkipPaths() []string {
	s.lifecycle.mu.Lock()
	defer s.lifecycle.mu.Unlock()
	paths := slices.Concat(s.config.manifest.Ephemeral, s.lifecycle.skipped)
	slices.Sort(paths)
	return slices.Compact(paths)
}

// SupportsDockerVolumeMounts is false (S5.29).
func (s *Scripted) SupportsDockerVolumeMounts() bool { return false }

// ShouldProvisionManifestAccountsOnResume is true: no account of an earlier run
// is preserved (S5.30).
func (s *Scripted) ShouldProvisionManifestAccountsOnResume() bool { return true }
