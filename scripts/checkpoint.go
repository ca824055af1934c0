package scripts

import (
	"context"
	"io"
	"slices"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// ReadCheckpoint reads the checkpoint of a session of the script, as
// [host.ReadCheckpoint] does. The options come after those of the script, and so win;
// they have to be such as NewSession was given.
func (s *Script) ReadCheckpoint(ctx context.Context, r io.Reader, opts ...host.Option) (*host.Checkpoint, error) {
	return host.ReadCheckpoint(ctx, r, s.Steps, slices.Concat(s.options, opts)...)
}
