package terminal

import "time"

// An Update tells what became of a process in one call. A live process has an id
// and no exit code, a finished one an exit code and no id (S7.7).
type Update struct {
	ProcessID *int
	ExitCode  *int

	// Output is what the process has printed since the last update, and what was
	// echoed. The start of a character whose end hasn't come is kept for the next.
	// Bytes that aren't UTF-8 are as they were printed; the original replaces them.
	// The caller owns it.
	Output []byte

	// OriginalTokenCount is the size of the output before it was cut. Nil: it
	// wasn't.
	OriginalTokenCount *int

	// Dropped is how many bytes of output weren't kept, see [Config].
	Dropped int64

	// Elapsed is how long the call took, in virtual time: until the process
	// finished, else the yield time.
	Elapsed time.Duration
}
