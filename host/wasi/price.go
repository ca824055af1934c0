package wasi

import (
	"context"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// What a guest pays for, in units of fuel, besides the call of each function: see the
// package's documentation.
const (
	priceVector = 8    // each vector of a read or a write
	priceEvent  = 64   // each subscription of a poll
	priceFiles  = 1024 // a function that looks at files or changes them
	pricePath   = 8    // each byte of a path, and of what symlinks put into it
	priceEntry  = 64   // each entry of a folder that is listed, or of one that is moved
)

// piece is how many bytes are moved before the context is looked at.
const piece = engine.MovePiece

// owes makes the guest owe something for the function in progress, which is paid at its
// end or before the next piece.
func (e *Env) owes(units int) { e.owed += int64(units) }

// owesBytes makes the guest owe for n bytes that are moved.
func (e *Env) owesBytes(n int64) { e.owed += n / engine.BytesPerUnit }

// owesWork makes the guest owe for what the path of the function in progress led
// through. Only the tree can tell, and only afterwards: the path itself bounds neither
// what symlinks put into it nor what is below a folder.
func (e *Env) owesWork() {
	if e.from == nil {
		return
	}
	work := e.from.TakeWork()
	e.from = nil
	e.owes(pricePath*work.Bytes + priceEntry*work.Nodes)
}

// move makes the guest pay for n bytes that are moved next, and looks at the context: a
// function that moves many does so in pieces.
func (e *Env) move(ctx context.Context, n int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	e.owesBytes(int64(n))
	return e.pay()
}

// pay has the guest pay what it owes. The error ends its call.
func (e *Env) pay() error {
	if e.owed == 0 {
		return nil
	}
	units := e.owed
	e.owed = 0
	return engine.Charge(e.caller, units)
}
