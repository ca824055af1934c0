package wazero_test

import (
	"context"
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
)

// An endingContext has ended once somebody has looked at it so often.
type endingContext struct {
	context.Context
	looks int
}

func (c *endingContext) Err() error {
	if c.looks == 0 {
		return context.Canceled
	}
	c.looks--
	return nil
}

func TestAMemoryThatGrowsEndsWithTheContext(t *testing.T) {
	const pages = 1024
	in := newInstance(t, wazero.Config{Uninterruptible: true}, "unbounded")
	memory := in.Memory()
	if !memory.Grow(pages - 1) {
		t.Fatal("the host can't grow it")
	}
	last := pages*engine.PageSize - 1
	view, _ := memory.View(uint32(last), 1)
	view[0] = 7
	grow, _ := in.Function("grow")

	stack := []uint64{pages}
	err := grow.Call(&endingContext{t.Context(), 4}, stack)
	if !errors.Is(err, context.Canceled) || memory.Size() != pages*engine.PageSize {
		t.Errorf("ended in between: %v, and it has %d bytes", err, memory.Size())
	}
	if !memory.Grow(1) {
		t.Error("the context of a call that is over keeps the host from growing it")
	}
	stack[0] = pages - 1
	if err := grow.Call(t.Context(), stack); err != nil || stack[0] != pages+1 {
		t.Errorf("the call after it: %d pages before, %v", stack[0], err)
	}
	view, ok := memory.View(uint32(last), 2)
	if !ok || view[0] != 7 || view[1] != 0 {
		t.Errorf("it holds %v", view)
	}
}
