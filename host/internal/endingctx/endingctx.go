// Package endingctx has a context for tests of what looks at its context while it works.
package endingctx

import (
	"context"
	"sync/atomic"
)

// A Context is canceled once Err has been called so often. Nothing waits for it: it has the
// Done of its parent. It is safe for concurrent use.
type Context struct {
	context.Context
	left atomic.Int64
}

// After gives a context that ends after so many looks.
func After(parent context.Context, looks int) *Context {
	c := &Context{Context: parent}
	c.left.Store(int64(looks))
	return c
}

// Err implements [context.Context].
func (c *Context) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return c.Context.Err()
}

// Left is how many looks are left.
func (c *Context) Left() int { return int(c.left.Load()) }
