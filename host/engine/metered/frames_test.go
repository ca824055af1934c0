package metered_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
)

func uleb(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }

func part(id byte, parts ...[]byte) []byte {
	content := slices.Concat(parts...)
	return slices.Concat([]byte{id}, uleb(len(content)), content)
}

// recursive is a module whose function calls itself without an end, after it has counted
// in the global "depth". It gives so many vectors, and has code before its call and after it.
func recursive(results int, locals string, before, after []byte) []byte {
	sized := func(code ...[]byte) []byte {
		body := slices.Concat(code...)
		return slices.Concat(uleb(len(body)), body)
	}
	types := slices.Concat([]byte("\x02\x60\x00"), uleb(results), bytes.Repeat([]byte{0x7b}, results), []byte("\x60\x00\x00"))
	return slices.Concat([]byte("\x00asm\x01\x00\x00\x00"), part(1, types), part(3, []byte{2, 0, 1}), part(5, []byte{1, 0, 1}),
		part(6, []byte("\x02\x7f\x01\x41\x00\x0b\x7c\x01\x44\x00\x00\x00\x00\x00\x00\x00\x00\x0b")),
		part(7, []byte("\x02\x07recurse\x00\x01\x05depth\x03\x00")),
		part(10, []byte{2},
			sized([]byte(locals), []byte("\x23\x00\x41\x01\x6a\x24\x00"), before, []byte{0x10, 0}, after, []byte{0x0b}),
			sized([]byte("\x00\x10\x00"), bytes.Repeat([]byte{0x1a}, results), []byte{0x0b})))
}

// each is code for each of n numbers.
func each(n int, code func(i int) []byte) (all []byte) {
	for i := range n {
		all = append(all, code(i)...)
	}
	return all
}

var (
	loadVector = func(i int) []byte { // from where no compiler knows
		return slices.Concat([]byte("\x23\x00\x41\xff\x01\x71\xfd\x00\x04"), uleb(16*i))
	}
	addVectors = func(int) []byte { return []byte("\xfd\xae\x01") }
	keepsTwo   = []byte("\xfd\x1b\x00\x24\x00") // the first lane of a vector
)

// Frames hold locals, what is on the operand stack, and room for results.
func TestFramesAreTooDeepBeforeTheStackIsFull(t *testing.T) {
	setLocal := func(i int) []byte { return slices.Concat(loadVector(i), []byte{0x21}, uleb(i)) }
	addLocal := func(i int) []byte { return slices.Concat([]byte{0x20}, uleb(i), addVectors(i)) }
	for name, test := range map[string]struct {
		wasm  []byte
		depth uint64
	}{
		"locals": {recursive(0, "\x01\xd0\x86\x03\x7b", nil, nil), 51}, // 50 000 vectors
		"locals that are used": {recursive(0, "\x01\xe8\x07\x7b", each(1000, setLocal),
			slices.Concat([]byte("\xfd\x0c"), make([]byte, 16), each(1000, addLocal), keepsTwo)), 2_500},
		"operands": {recursive(0, "\x00", each(1000, loadVector), slices.Concat(each(999, addVectors), keepsTwo)), 2_500},
		"locals and operands": {recursive(0, "\x01\x1f\x7b", slices.Concat(each(31, setLocal), each(8, loadVector)),
			slices.Concat(each(7, addVectors), each(31, addLocal), keepsTwo)), 40_000},
		"results": {recursive(1000, "\x00", nil, nil), 1_270},
	} {
		onEach(t, func(t *testing.T, inner maker) {
			in := instantiate(t, compiled(t, newMetered(t, inner, metered.Config{}), test.wasm))
			_, err := in.try(t, "recurse")
			e, ok := errors.AsType[*metered.DepthError](err)
			if !ok || e.Full {
				t.Fatalf("%s: error %v, want a *DepthError of the limit", name, err)
			}
			if depth, _ := in.Global("depth"); depth.Get() < test.depth-2 || depth.Get() > test.depth+2 {
				t.Errorf("%s: it ended after %d calls, want about %d", name, depth.Get(), test.depth)
			}
		})
	}
}

// A compiler may keep what it has computed before a call for after it, which nobody sees
// in the code.
func TestAStackThatIsFullIsTooDeepAsWell(t *testing.T) {
	product := func(i int) []byte { // of a local and a constant, stored in a global
		return []byte{0x20, 0, 0x44, 0, 0, 0, byte(i), byte(i >> 8), 0, 0, 0x40, 0xa3, 0x24, 1}
	}
	products := each(1000, product)
	wasm := recursive(0, "\x01\x01\x7c", slices.Concat([]byte("\x23\x01\x21\x00"), products), products)
	onEach(t, func(t *testing.T, inner maker) {
		in := instantiate(t, compiled(t, newMetered(t, inner, metered.Config{}), wasm))
		_, err := in.try(t, "recurse")
		e, ok := errors.AsType[*metered.DepthError](err)
		if !ok || e.Trap.Reason != "stack overflow" || !errors.As(err, new(*engine.TrapError)) {
			t.Errorf("error %v, want a *DepthError", err)
		}
	})
}

func compiled(t *testing.T, e *metered.Engine, wasm []byte) engine.Module {
	t.Helper()
	m, err := e.Compile(t.Context(), wasm)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// What instructions take off the stack isn't in the frame, and what they leave there is.
func TestFramesHoldWhatInstructionsLeave(t *testing.T) {
	e := newMetered(t, engines["wazero"], metered.Config{Limits: metered.Limits{Depth: 13}}) // one for the call from outside
	calls := func(code []byte) uint64 {
		in := instantiate(t, compiled(t, e, recursive(0, "\x00", nil, code)))
		if _, err := in.try(t, "recurse"); !errors.As(err, new(*metered.DepthError)) {
			t.Errorf("error %v", err)
		}
		depth, _ := in.Global("depth")
		return depth.Get()
	}
	for _, o := range ops {
		g := &generator{}
		for i := range len(o.in) {
			g.constant(o.in[i])
		}
		one := slices.Concat(g.out, o.alone())
		drop := bytes.Repeat([]byte{0x1a}, len(o.out))
		if got := calls(bytes.Repeat(slices.Concat(one, drop), 100)); got != 12 {
			t.Errorf("%#x %#x %s:%s, dropped: %d calls, want 12", o.prefix, o.code, o.in, o.out, got)
		}
		if got := calls(slices.Concat(bytes.Repeat(one, 100), bytes.Repeat(drop, 100))); o.out != "" && got != 4 {
			t.Errorf("%#x %#x %s:%s, kept: %d calls, want 4", o.prefix, o.code, o.in, o.out, got)
		}
	}
}
