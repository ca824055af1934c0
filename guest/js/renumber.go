package js

import (
	"errors"
	"fmt"
)

// Opcodes that the rewriting has to know: those that name a function, those with
// operands to skip, and the ends of ranges.
const (
	opBlock        = 0x02
	opIf           = 0x04
	opElse         = 0x05
	opEnd          = 0x0b
	opBr           = 0x0c
	opBrIf         = 0x0d
	opBrTable      = 0x0e
	opCall         = 0x10
	opCallIndirect = 0x11
	opDrop         = 0x1a
	opSelectTyped  = 0x1c
	opLocalGet     = 0x20
	opTableSet     = 0x26
	opLoad         = 0x28 // the first of all loads and stores
	opStoreLast    = 0x3e
	opMemorySize   = 0x3f
	opMemoryGrow   = 0x40
	opI32Const     = 0x41
	opI64Const     = 0x42
	opF32Const     = 0x43
	opF64Const     = 0x44
	opNumericLast  = 0xc4
	opRefFunc      = 0xd2
	opPrefix       = 0xfc
)

// renumberCode gives a code section in which functions have other indices.
func renumberCode(body []byte, index func(uint32) uint32) ([]byte, error) {
	c := cursor{rest: body}
	count := c.u32()
	out := appendU32(make([]byte, 0, len(body)+len(body)/16), count)
	for i := range count {
		function, err := renumberFunction(c.take(c.u32()), index)
		if err != nil || c.bad {
			return nil, fmt.Errorf("code of function %d: %w", i, errors.Join(err, c.err()))
		}
		out = appendSized(out, function)
	}
	return out, c.err()
}

func (c *cursor) err() error {
	if c.bad {
		return errors.New("it is malformed")
	}
	return nil
}

func renumberFunction(code []byte, index func(uint32) uint32) ([]byte, error) {
	c := cursor{rest: code}
	for range c.u32() { // locals
		c.u32()
		c.byte()
	}
	out := make([]byte, 0, len(code)+8)
	copied := code // what follows the last call that was rewritten
	for len(c.rest) > 0 && !c.bad {
		op := c.byte()
		if op != opCall && op != opRefFunc {
			if err := c.skipOperands(op); err != nil {
				return nil, err
			}
			continue
		}
		out = append(out, copied[:len(copied)-len(c.rest)]...)
		out = appendU32(out, index(c.u32()))
		copied = c.rest
	}
	return append(out, copied...), c.err()
}

// skipOperands skips what follows an opcode. One that it doesn't know is an
// error, as it can't tell where the next instruction starts.
func (c *cursor) skipOperands(op byte) error {
	switch {
	case op >= opBlock && op <= opIf, op == opBr, op == opBrIf, op >= opLocalGet && op <= opTableSet,
		op == opMemorySize, op == opMemoryGrow, op == opI32Const, op == opI64Const:
		c.skipLEB()
	case op >= opLoad && op <= opStoreLast, op == opCallIndirect:
		c.skipLEB()
		c.skipLEB()
	case op == opF32Const:
		c.take(4)
	case op == opF64Const:
		c.take(8)
	case op == opBrTable, op == opSelectTyped:
		for range c.u32() {
			c.skipLEB()
		}
		if op == opBrTable {
			c.skipLEB()
		}
	case op == opPrefix:
		return c.skipPrefixed()
	case op > opElse && op < opEnd, op > opCallIndirect && op < opDrop, op > opSelectTyped && op < opLocalGet,
		op > opTableSet && op < opLoad, op > opNumericLast:
		return fmt.Errorf("opcode %#x isn't known", op)
	}
	return nil
}

// skipPrefixed skips the operands of the instructions after the prefix 0xfc:
// conversions, and those of bulk memory.
func (c *cursor) skipPrefixed() error {
	switch op := c.u32(); op {
	case 0, 1, 2, 3, 4, 5, 6, 7:
	case 8, 10, 12, 14:
		c.skipLEB()
		c.skipLEB()
	case 9, 11, 13, 15, 16, 17:
		c.skipLEB()
	default:
		return fmt.Errorf("opcode 0xfc %d isn't known", op)
	}
	return nil
}

// renumberElements gives an element section in which functions have other
// indices. It knows active segments of function indices, which compilers write.
func renumberElements(body []byte, index func(uint32) uint32) ([]byte, error) {
	c := cursor{rest: body}
	count := c.u32()
	out := appendU32(nil, count)
	for range count {
		if kind := c.u32(); kind != 0 {
			return nil, fmt.Errorf("an element segment of kind %d isn't known", kind)
		}
		before := c.rest
		if op := c.byte(); op != opI32Const {
			return nil, errors.New("an element segment without a constant offset isn't known")
		}
		c.skipLEB()
		c.byte() // end
		out = append(appendU32(out, 0), before[:len(before)-len(c.rest)]...)
		length := c.u32()
		out = appendU32(out, length)
		for range length {
			out = appendU32(out, index(c.u32()))
		}
	}
	return out, c.err()
}
