package metering_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// validator is an engine that refuses what takes gigabytes, such as a module with
// as many locals as there are numbers.
var validator = sync.OnceValues(func() (engine.Engine, error) {
	return wazero.New(background, wazero.Config{MaxMemoryPages: 64, Uninterruptible: true}, nil)
})

// valid is what the engine says of a module. Some small ones take it minutes to
// compile; a test is skipped then.
func valid(t *testing.T, wasm []byte) error {
	t.Helper()
	e, err := validator()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(background, 2*time.Second)
	defer cancel()
	m, err := e.Compile(ctx, wasm)
	if errors.Is(err, context.DeadlineExceeded) {
		t.Skip("the engine takes too long to compile it")
	}
	if err != nil {
		return err
	}
	return m.Close(background)
}

// wantAsValid fails when one of two modules is valid and the other isn't.
func wantAsValid(t *testing.T, original, rewritten []byte) {
	t.Helper()
	err1, err2 := valid(t, original), valid(t, rewritten)
	if err1 != nil && strings.Contains(err1.Error(), "custom") {
		return // sections, which the rewritten one may lack or have elsewhere
	}
	if (err1 == nil) != (err2 == nil) {
		t.Errorf("the original: %v, the rewritten one: %v", err1, err2)
	}
}

// wantNoNeed fails when a module was refused that the engine takes. The engine
// isn't shown a list that is longer than its section, for which it would make room.
func wantNoNeed(t *testing.T, wasm []byte, refused error) {
	t.Helper()
	if strings.Contains(refused.Error(), "a list of") {
		return
	}
	if !errors.Is(refused, metering.Reserved) && valid(t, wasm) == nil {
		t.Errorf("the engine takes it: %v", refused)
	}
}
