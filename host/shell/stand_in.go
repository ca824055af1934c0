package shell

import (
	"io"
	"math"
	"os"
	"runtime"
	"sync"
	"weak"
)

// standIns are files that stand for readers. They have no descriptor of the host, and are
// told apart by their addresses. What one stands for is forgotten when the interpreter
// has closed it; or lost it, as when exec replaces its input. The zero value is ready.
type standIns struct {
	mu     sync.Mutex
	from   map[weak.Pointer[os.File]]io.Reader
	enough int // how many there are until those that are closed are looked for
}

// noDescriptor is a number that descriptors don't reach.
const noDescriptor = math.MaxInt32

func (s *standIns) add(from io.Reader) *os.File {
	file := os.NewFile(noDescriptor, "input")
	key := weak.Make(file)
	runtime.AddCleanup(file, s.forget, key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.from == nil {
		s.from = map[weak.Pointer[os.File]]io.Reader{}
	}
	if len(s.from) >= s.enough {
		s.sweep()
		s.enough = 2*len(s.from) + 1
	}
	s.from[key] = from
	return file
}

// sweep forgets those that are closed. The lock is held.
func (s *standIns) sweep() {
	for key := range s.from {
		if file := key.Value(); file == nil || isClosed(file) {
			delete(s.from, key)
		}
	}
}

func isClosed(file *os.File) bool {
	conn, err := file.SyscallConn()
	return err != nil || conn.Control(func(uintptr) {}) != nil
}

func (s *standIns) forget(key weak.Pointer[os.File]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.from, key)
}

// reader is what a file stands for, or nil.
func (s *standIns) reader(file *os.File) io.Reader {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.from[weak.Make(file)]
}
