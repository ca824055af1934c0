package wazero_test

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
	"github.com/wasmsandbox/wasmsandbox/host/internal/endingctx"
)

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
	err := grow.Call(endingctx.After(t.Context(), 4), stack)
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

// What it grows by is cleared in pieces as well, whatever was there before.
func TestAMemoryThatGrowsAtOnceEndsWithTheContext(t *testing.T) {
	const pages = 1024
	for range 8 { // leave something to be cleared
		garbage := bytes.Repeat([]byte{7}, pages*engine.PageSize)
		runtime.KeepAlive(garbage)
	}
	runtime.GC()
	in := newInstance(t, wazero.Config{Uninterruptible: true}, "unbounded")
	grow, _ := in.Function("grow")
	if err := grow.Call(endingctx.After(t.Context(), 4), []uint64{pages}); !errors.Is(err, context.Canceled) {
		t.Errorf("ended in between: %v, and it has %d bytes", err, in.Memory().Size())
	}
	if err := grow.Call(t.Context(), []uint64{pages}); err != nil {
		t.Fatal(err)
	}
	all, _ := in.Memory().View(0, uint32(in.Memory().Size()))
	if len(all) < pages*engine.PageSize || len(bytes.Trim(all, "\x00")) > 0 {
		t.Errorf("of %d bytes, some aren't cleared", len(all))
	}
}
