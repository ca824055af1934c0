package metered

import "bytes"

// blockSize is the unit in which memory is looked at for zeros.
const blockSize = 4 << 10

var zeroBlock [blockSize]byte

// content is that of a memory, without the blocks that hold zeros only.
type content struct {
	runs []run
	data []byte // of the runs, one after the other
}

// A run is a piece of memory that isn't zero, as long as it can be.
type run struct {
	start, n int // in blocks
}

// contentOf copies a memory.
func contentOf(memory []byte) content {
	var c content
	size := 0
	for block := range len(memory) / blockSize {
		if isZero(memory[block*blockSize:][:blockSize]) {
			continue
		}
		size += blockSize
		if last := len(c.runs) - 1; last >= 0 && c.runs[last].start+c.runs[last].n == block {
			c.runs[last].n++
		} else {
			c.runs = append(c.runs, run{block, 1})
		}
	}
	c.data = make([]byte, 0, size)
	for _, r := range c.runs {
		c.data = append(c.data, memory[r.start*blockSize:][:r.n*blockSize]...)
	}
	return c
}

// write makes a memory hold the content.
func (c *content) write(memory []byte) {
	done, data := 0, c.data
	for _, r := range c.runs {
		start, n := r.start*blockSize, r.n*blockSize
		clearBlocks(memory[done:start])
		copyBlocks(memory[start:], data[:n])
		done, data = start+n, data[n:]
	}
	clearBlocks(memory[done:])
}

// clearBlocks writes zeros where there are none yet: memory that nobody has touched
// is left so.
func clearBlocks(memory []byte) {
	for ; len(memory) > 0; memory = memory[blockSize:] {
		if block := memory[:blockSize]; !isZero(block) {
			clear(block)
		}
	}
}

func isZero(block []byte) bool { return bytes.Equal(block, zeroBlock[:]) }

// copyBlocks writes what isn't there already: memory that an engine shares between
// instances until they write to it stays shared.
func copyBlocks(memory, data []byte) {
	for ; len(data) > 0; memory, data = memory[blockSize:], data[blockSize:] {
		if block := memory[:blockSize]; !bytes.Equal(block, data[:blockSize]) {
			copy(block, data)
		}
	}
}
