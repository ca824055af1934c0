package shell

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// A stage is what one command of a pipeline hands on to the next one.
type stage struct {
	run    *run
	bytes  bytes.Buffer
	full   bool // it wanted to hand on more
	status int
	// statuses are those of the commands that it is of: more than one if it is a pipeline.
	statuses []int
	done     bool // its pipeline has got its exit code
}

// errPipe is what a command gets whose stage is full, as if nobody read it.
var errPipe = errors.New("broken pipe")

func (s *stage) Write(p []byte) (int, error) {
	if s.run.isTrace(p) {
		return len(p), nil
	}
	if int64(s.bytes.Len()+len(p)) > s.run.limits.Pipe {
		s.full = true
		return 0, errPipe
	}
	return s.bytes.Write(p)
}

// Read makes it a file for the interpreter.
func (s *stage) Read([]byte) (int, error) { return 0, io.EOF }

// Close does nothing.
func (s *stage) Close() error { return nil }

// openStage begins a pipeline's stage, or reads the one that was written.
func (r *run) openStage(stopped func() error, flag int) (io.ReadWriteCloser, error) {
	if flag&os.O_WRONLY != 0 {
		s := &stage{run: r}
		r.stages = append(r.stages, s)
		return s, nil
	}
	s := r.stage()
	if s == nil {
		return nil, &os.PathError{Op: "sh:", Path: stagePath, Err: errText("No such device")}
	}
	var end func()
	if s.full {
		end = func() { _ = r.exceeded("pipe", r.limits.Pipe) }
	}
	return r.document(stopped, bytes.NewReader(s.bytes.Bytes()), end), nil
}

// stage is that of the innermost pipeline.
func (r *run) stage() *stage {
	if len(r.stages) == 0 {
		return nil
	}
	return r.stages[len(r.stages)-1]
}

func (r *run) dropStage() { r.stages = r.stages[:len(r.stages)-1] }

// endStage is the exit code of a pipeline, given that of its last command. It is
// asked for twice if the last command succeeded and the pipeline didn't.
func (r *run) endStage(last int, pipefail, again bool) int {
	s := r.stage()
	if s == nil {
		return last
	}
	if again && s.done {
		r.dropStage()
		return last
	}
	r.statuses, r.piped = append(s.statuses, last), r.commands
	code := last
	if code == 0 && pipefail {
		code = s.status
	}
	if code == 0 || again {
		r.dropStage()
	} else {
		s.done = true
	}
	return code
}
