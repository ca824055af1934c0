package host

import (
	"context"
	"crypto/sha256"
	"errors"
	"path"
	"slices"
	"sync"

	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

// runFile runs an executable file of the workspace that is a module. One that is no
// program of WASI preview 1, or wants more than the session's limits allow, can't be
// executed.
func (b *backing) runFile(ctx context.Context, file string, wasm []byte, process shell.Process) (exitCode int, err error) {
	program, end, err := b.programs.get(ctx, path.Base(file), wasm, b.session.config.limits)
	if isA[*ModuleError](err) {
		return 0, errors.Join(shell.ErrExecFormat, err)
	}
	if err != nil {
		return 0, err
	}
	defer end()
	return program.Tool()(ctx, process)
}

// mostPrograms is how many compiled programs a session keeps that none of its commands
// is running.
const mostPrograms = 16

// filePrograms are programs of the workspace's files that a session has compiled. Others
// than those that come with a script they end with the session, since what an agent
// makes may be new each time.
type filePrograms struct {
	runtime *Runtime // nil: the default one

	mu     sync.Mutex
	latest []*fileProgram // by their last use, which is at the end
	closed bool
}

// A fileProgram is the code of a file.
type fileProgram struct {
	code    *compilation
	foreign bool // it is the runtime's, too
	uses    int  // commands that run it
	dropped bool
}

// get compiles a program, unless that was done. The end of its use must be told.
func (f *filePrograms) get(ctx context.Context, name string, wasm []byte, limits Limits) (_ *Program, end func(), err error) {
	runtime := f.runtime
	if runtime == nil {
		if runtime, err = DefaultRuntime(); err != nil {
			return nil, nil, err
		}
	}
	source := metered.SourceOf(wasm)
	entry := f.use(runtime, source)
	defer func() {
		if err != nil {
			f.end(entry)
		}
	}()
	if err := entry.code.compile(ctx, source, limits); err != nil {
		return nil, nil, err
	}
	if err := preflightProgram(entry.code.module()); err != nil {
		return nil, nil, err
	}
	return &Program{name: name, compiled: entry.code}, func() { f.end(entry) }, nil
}

// use finds the code of a file, or where it is to be.
func (f *filePrograms) use(runtime *Runtime, source metered.Source) *fileProgram {
	hash := source.Digest()
	f.mu.Lock()
	defer f.mu.Unlock()
	at := slices.IndexFunc(f.latest, func(p *fileProgram) bool { return p.code.hash == hash })
	var entry *fileProgram
	if at >= 0 {
		entry = f.latest[at]
		f.latest = slices.Delete(f.latest, at, at+1)
	} else if known := runtime.known(hash); known != nil {
		entry = &fileProgram{code: known, foreign: true}
	} else {
		entry = &fileProgram{code: newCompilation(runtime.engine, source)}
	}
	entry.uses++
	f.latest = append(f.latest, entry)
	return entry
}

// end notes that a command has ended, and drops what was used the longest time ago.
func (f *filePrograms) end(entry *fileProgram) {
	f.mu.Lock()
	defer f.mu.Unlock()
	entry.uses--
	entry.release()
	for len(f.latest) > mostPrograms || f.closed && len(f.latest) > 0 {
		f.latest[0].dropped = true
		f.latest[0].release()
		f.latest = f.latest[1:]
	}
}

// release frees the code once it is dropped and nobody uses it.
func (p *fileProgram) release() {
	if p.dropped && p.uses == 0 && !p.foreign {
		p.code.release()
	}
}

// close drops all.
func (f *filePrograms) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	for _, entry := range f.latest {
		entry.dropped = true
		entry.release()
	}
	f.latest = nil
}

// release frees all code of a compilation that nobody uses any more.
func (c *compilation) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, module := range c.ready {
		_ = module.Close(context.Background()) // there is nothing to be done about it
	}
	clear(c.ready)
}

// known is the compilation of a module that was loaded, or nil.
func (r *Runtime) known(hash [sha256.Size]byte) *compilation {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.modules[hash]
}
