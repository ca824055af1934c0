package metered_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
)

// pieceBytes is how much is copied or filled between two looks at the context.
const pieceBytes = engine.MovePiece

const (
	piecesMemory = 640 * engine.PageSize
	piecesKnown  = 20_000_001 // the length that is in the guest's code
)

func TestWhatIsDoneInPiecesIsWhatItWasAtOnce(t *testing.T) {
	type long struct {
		function         string
		to, from, length uint32 // from is the value of a fill
	}
	const half, end = piecesMemory / 2, piecesMemory
	original := pattern(piecesMemory)
	onEach(t, func(t *testing.T, inner maker) {
		in := start(t, inner, metered.Config{}, "pieces")
		memory, _ := in.Memory().View(0, end)
		for _, op := range []long{
			{"copy", 0, half, half}, {"copy", half, 0, half},
			{"copy", 1, 0, end - 1}, {"copy", 0, 1, end - 1}, {"copy", 0, 0, end},
			{"copy", pieceBytes + 3, 5, 3 * pieceBytes}, {"copy", 5, pieceBytes + 3, 3*pieceBytes + 1},
			{"copy", half, 0, pieceBytes}, {"copy", half, 0, pieceBytes + 1}, {"copy", end, 0, 0},
			{"copy", 1, 0, end}, {"copy", 0, 1, end}, {"copy", end, end, 0xffffffff}, {"copy", end + 1, 0, 0},
			{"copy_known", 7, 3, piecesKnown}, {"copy_known", end - piecesKnown + 1, 3, piecesKnown},
			{"fill", 0, 7, end}, {"fill", 3, 0x1ff, pieceBytes}, {"fill", 3, 9, 2*pieceBytes + 1}, {"fill", end, 9, 0},
			{"fill", 1, 7, end}, {"fill", 0, 7, 0xffffffff}, {"fill", end + 1, 7, 0},
			{"fill_known", 11, 9, piecesKnown}, {"fill_known", end - piecesKnown + 1, 9, piecesKnown},
		} {
			t.Run(fmt.Sprintf("%s %d %d %d", op.function, op.to, op.from, op.length), func(t *testing.T) {
				copy(memory, original)
				want, fits := bytes.Clone(original), uint64(op.to)+uint64(op.length) <= end
				isCopy := op.function[0] == 'c'
				if isCopy {
					fits = fits && uint64(op.from)+uint64(op.length) <= end
				}
				switch {
				case fits && isCopy:
					copy(want[op.to:], want[op.from:op.from+op.length])
				case fits:
					fill(want[op.to:op.to+op.length], byte(op.from))
				}
				_, err := in.try(t, op.function, uint64(op.to), uint64(op.from), uint64(op.length))
				if trapped := isTrap(err); trapped == fits || (fits && err != nil) {
					t.Errorf("it ends with %v", err)
				}
				if !bytes.Equal(memory, want) {
					t.Error("the memory isn't what it has to be")
				}
				if used := in.Used(); used != 4+int64(op.length/8) {
					t.Errorf("it used %d, want %d", used, 4+op.length/8)
				}
			})
		}
	})
}

// pattern is bytes that aren't the same anywhere near.
func pattern(size int) []byte {
	b, x := make([]byte, size), uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return b
}

func fill(b []byte, value byte) {
	for i := range b {
		b[i] = value
	}
}

func isTrap(err error) bool {
	_, ok := errors.AsType[*engine.TrapError](err)
	return ok
}

// A watchingContext ends once a byte has changed.
type watchingContext struct {
	context.Context
	watched []byte
	was     byte
}

func (c *watchingContext) Err() error {
	if c.watched[0] != c.was {
		return context.Canceled
	}
	return nil
}

func TestALongCopyOrFillEndsWithItsContext(t *testing.T) {
	const by = pieceBytes / 2 // so far are bytes copied
	for function, length := range map[string]uint32{
		"copy": piecesMemory - by, "copy_known": piecesKnown, "fill": piecesMemory, "fill_known": piecesKnown,
	} {
		onEach(t, func(t *testing.T, inner maker) {
			in := start(t, inner, metered.Config{}, "pieces")
			memory, _ := in.Memory().View(0, piecesMemory)
			f, _ := in.Function(function)
			stack := []uint64{0, 9, uint64(length)}
			first, last := uint32(0), length-1       // of the bytes that are written
			if strings.HasPrefix(function, "copy") { // backwards, as it overwrites what it copies
				stack = []uint64{by, 0, uint64(length)}
				first, last = by+length-1, by
				memory[length-1], memory[0] = 2, 2
			}
			ctx := &watchingContext{t.Context(), memory[first : first+1], memory[first]}
			if err := f.Call(ctx, stack); !errors.Is(err, context.Canceled) {
				t.Errorf("%s ends with %v", function, err)
			}
			if memory[last] != 0 {
				t.Errorf("%s went on to its end", function)
			}
		})
	}
}
