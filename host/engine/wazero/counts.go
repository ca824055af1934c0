package wazero

import (
	"fmt"

	"github.com/wasmsandbox/wasmsandbox/host/engine/outline"
)

// The engine makes room for what a section says it has before it reads it, also for the
// parts of an item: more than there is may end the process.

// checkData refuses data segments with more bytes than there are.
func checkData(r *outline.Reader) error {
	const (
		passive  = 1
		explicit = 2
	)
	r.Each(func(r *outline.Reader) {
		flags := r.U32()
		if flags&explicit != 0 {
			_ = r.U32() // the memory
		}
		if flags&passive == 0 {
			skipConstant(r)
		}
		_ = r.Bytes()
	})
	if r.Err() != nil {
		return fmt.Errorf("its data segments: %w", r.Err())
	}
	return nil
}

// checkElements refuses element segments with more entries than there are bytes.
func checkElements(r *outline.Reader) error {
	const (
		passive     = 1
		explicit    = 2
		expressions = 4
	)
	r.Each(func(r *outline.Reader) {
		flags := r.U32()
		if flags&passive == 0 {
			if flags&explicit != 0 {
				_ = r.U32() // the table
			}
			skipConstant(r)
		}
		switch {
		case flags&(passive|explicit) == 0:
		case flags&expressions != 0:
			_ = r.Reference()
		default:
			_ = r.Byte() // the kind of its entries
		}
		readItems(r, func(r *outline.Reader) {
			if flags&expressions != 0 {
				skipConstant(r)
			} else {
				_ = r.U32()
			}
		})
	})
	if r.Err() != nil {
		return fmt.Errorf("its element segments: %w", r.Err())
	}
	return nil
}

// skipConstant takes a constant expression.
func skipConstant(r *outline.Reader) {
	for r.Err() == nil {
		switch r.Byte() {
		case 0x0b: // end
			return
		case 0x41, 0x42, 0x23, 0xd2: // i32.const, i64.const, global.get, ref.func
			skipNumber(r)
		case 0x43: // f32.const
			skipBytes(r, 4)
		case 0x44: // f64.const
			skipBytes(r, 8)
		case 0xd0: // ref.null
			_ = r.Reference()
		case 0xfd: // v128.const
			skipNumber(r)
			skipBytes(r, 16)
		case 0x6a, 0x6b, 0x6c, 0x7c, 0x7d, 0x7e: // add, sub and mul, of i32 and i64
		default:
			r.Fail()
		}
	}
}

// skipNumber takes a number with or without a sign.
func skipNumber(r *outline.Reader) {
	for r.Byte()&0x80 != 0 {
	}
}

func skipBytes(r *outline.Reader, n int) {
	for range n {
		_ = r.Byte()
	}
}
