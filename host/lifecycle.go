package host

import (
	"context"
	"errors"
	"io"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
)

// ErrBusy is what Start, Stop, Close and RunPreStopHooks answer while one of them
// runs, for instance when a hook calls them: waiting could last for ever. Start and Stop
// answer it while Checkpoint copies the workspace as well.
var ErrBusy = errors.New("host: the session is being started, stopped or closed")

// A Hook is run before a session stops.
type Hook func(ctx context.Context) error

// lifecycle is the part of a session's state that has nothing to do with its
// script (S2.17).
type lifecycle struct {
	mu           sync.Mutex
	running      bool
	ended        atomic.Bool // closed: the hooks have run, and all else is over or being closed; set under mu
	busy         bool        // hooks or closers are running
	hooks        []Hook
	dependencies []io.Closer
	skipped      []string // paths, sorted
}

func (l *lifecycle) closed() bool { return l.ended.Load() }

// Start makes the session running. With a workspace it makes what the manifest says,
// or what the snapshot holds (S6.88), and fails with CodeWorkspaceStart, or with
// ErrBusy while it is being started or stopped; without one it does nothing else. No
// step is used. A session that is running stays as it is; after Close it is ErrClosed.
func (s *Scripted) Start(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.lifecycle.closed() {
		return ErrClosed
	}
	if s.backing == nil {
		return s.lifecycle.start()
	}
	if !s.backing.started.turn.TryLock() {
		return ErrBusy
	}
	defer s.backing.started.turn.Unlock()
	if s.Running() {
		return nil
	}
	if err := s.backing.start(ctx); err != nil {
		return err
	}
	return s.lifecycle.start()
}

func (l *lifecycle) start() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended.Load() {
		return ErrClosed
	}
	l.running = true
	return nil
}

// Stop makes the session not running. With a workspace it ends the terminals, and
// persists the workspace in its snapshot if it was started and has changed (S6.87);
// the error has CodeWorkspaceStop, or is ErrBusy while it is being started or stopped.
// Without one it never fails.
func (s *Scripted) Stop(ctx context.Context) error {
	if s.backing == nil {
		s.lifecycle.stop()
		return nil
	}
	if !s.backing.started.turn.TryLock() {
		return ErrBusy
	}
	defer s.backing.started.turn.Unlock()
	s.lifecycle.stop()
	return s.backing.stop(ctx)
}

func (l *lifecycle) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running = false
}

// Shutdown makes the session not running, and ends the terminals. There is nothing
// else behind it.
func (s *Scripted) Shutdown(ctx context.Context) error {
	s.lifecycle.stop()
	if s.backing == nil {
		return nil
	}
	return s.backing.terminals.end(ctx, false)
}

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
// Hooks may still call the session: it answers ErrClosed once they have run.
//
// Close doesn't wait for calls in progress, but for guests, commands, programs and the
// workspace that are working for one: their call ends first, or is ended by its
// context. A guest's own closing is ended after five seconds.
func (s *Scripted) Close(ctx context.Context) (err error) {
	if err := s.lifecycle.enter(); err != nil {
		return err
	}
	defer s.lifecycle.leave()
	if s.lifecycle.closed() {
		return nil
	}
	// Deferred, so that it is done even if a hook ends the goroutine.
	defer func() { err = errors.Join(err, s.release(ctx)) }()
	return s.drainHooks(ctx, true)
}

// release is what Close does after the hooks. The workspace is persisted when nothing
// changes it any more.
func (s *Scripted) release(ctx context.Context) (err error) {
	s.lifecycle.end()
	defer func() { err = errors.Join(err, s.closeDependencies()) }()
	s.lifecycle.stop()
	if s.backing == nil {
		return s.guests.close(ctx)
	}
	ended := s.backing.stopError(s.backing.terminals.end(ctx, true))
	guests := s.guests.close(ctx)
	s.backing.programs.close()
	return errors.Join(ended, s.backing.finish(ctx), guests)
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

func (l *lifecycle) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended.Store(true)
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
	if l.ended.Load() {
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
	return s.drainHooks(ctx, false)
}

func (s *Scripted) drainHooks(ctx context.Context, closing bool) error {
	var errs []error
	for {
		hook, ok := s.lifecycle.takeHook(closing)
		if !ok {
			return errors.Join(errs...)
		}
		errs = append(errs, runHook(ctx, hook))
	}
}

// takeHook gives the next hook. When there is none and the session is closing,
// it is closed from then on: no hook can come too late.
func (l *lifecycle) takeHook(closing bool) (Hook, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.hooks) == 0 {
		if closing {
			l.ended.Store(true)
		}
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
// Dependencies are closed newest first, each once, also if it was added twice
// (S5.24).
func (s *Scripted) AddDependency(dependency io.Closer) error {
	if dependency == nil || isNilValue(dependency) {
		return errors.New("host: the dependency is nil")
	}
	l := &s.lifecycle
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended.Load() {
		return ErrClosed
	}
	if !slices.ContainsFunc(l.dependencies, func(d io.Closer) bool { return sameCloser(d, dependency) }) {
		l.dependencies = append(l.dependencies, dependency)
	}
	return nil
}

// sameCloser compares identities. Values that can't be compared have none.
func sameCloser(a, b io.Closer) bool {
	return reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}

func (s *Scripted) closeDependencies() (err error) {
	l := &s.lifecycle
	l.mu.Lock()
	dependencies := l.dependencies
	l.dependencies = nil
	l.mu.Unlock()

	// Deferred, so that all are closed even if one ends the goroutine.
	for _, dependency := range dependencies {
		defer func() { err = errors.Join(err, closeDependency(dependency)) }()
	}
	return nil
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
