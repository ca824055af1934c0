package shell

import "os"

// maxOpen is how many inputs, and how many outputs, a run may have open.
const maxOpen = 1024

// keep notes a file that is to be closed at the end of the run, if the interpreter
// doesn't close it before: what exec opens stays open.
func (r *run) keep(file *os.File) error {
	r.mu.Lock()
	r.files[file] = struct{}{}
	if len(r.files) > maxOpen {
		for other := range r.files {
			if isClosed(other) {
				delete(r.files, other)
			}
		}
	}
	many := len(r.files) > maxOpen
	r.mu.Unlock()
	if many {
		return r.exceeded("open", maxOpen)
	}
	return nil
}

// keepOutput is keep for a file of the workspace.
func (r *run) keepOutput(f *outputFile) error {
	r.outputs[f] = struct{}{}
	if len(r.outputs) > maxOpen {
		return r.exceeded("open", maxOpen)
	}
	return nil
}

func isClosed(file *os.File) bool {
	conn, err := file.SyscallConn()
	return err != nil || conn.Control(func(uintptr) {}) != nil
}

// closeFiles ends what still feeds inputs, and closes all that is open.
func (r *run) closeFiles() {
	for f := range r.outputs {
		_ = f.Close()
	}
	r.mu.Lock()
	for file := range r.files {
		_ = file.Close() // again, if it is closed
	}
	clear(r.files)
	clear(r.waiting)
	r.mu.Unlock()
	r.feeds.Wait()
}
