package host

import "context"

// A turn is a lock that can be waited for no longer than a context lasts.
// Waiters get it in the order they came.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

// take waits for the lock, or for the context to end.
func (t turn) take(ctx context.Context) error {
	if t.try() {
		return nil
	}
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// try takes the lock if nobody has it.
func (t turn) try() bool {
	select {
	case t <- struct{}{}:
		return true
	default:
		return false
	}
}

func (t turn) give() { <-t }
