package metering

// bulk reads an instruction that works on a length of memory or of a table, or truncates a
// number without a trap.
func (b *body) bulk(at int) {
	m := b.module
	op := b.u32()
	if op <= bulkTableFill {
		b.computes(floatBulkOps[op], int(bulkEffects[op]))
	}
	switch op {
	case bulkMemoryInit:
		b.init(at, b.index("data segment", m.data))
		b.zero("another memory", "multiple memories")
		b.length(at, unitBytes)
	case bulkDataDrop:
		b.takes(spaceDrop)
		b.index("data segment", m.data)
		b.changes("data.drop")
	case bulkMemoryCopy:
		b.zero("another memory", "multiple memories")
		b.zero("another memory", "multiple memories")
		b.length(at, unitBytes)
		b.inPieces(at, copyPieces)
	case bulkMemoryFill:
		b.zero("another memory", "multiple memories")
		b.length(at, unitBytes)
		b.inPieces(at, fillPieces)
	case bulkTableInit:
		b.index("element segment", m.elements)
		b.index("table", m.tables)
		b.changes("table.init")
		b.length(at, unitEntry)
	case bulkElemDrop:
		b.takes(spaceDrop)
		b.index("element segment", m.elements)
		b.changes("elem.drop")
	case bulkTableCopy:
		b.index("table", m.tables)
		b.index("table", m.tables)
		b.changes("table.copy")
		b.length(at, unitEntry)
	case bulkTableGrow:
		b.index("table", m.tables)
		b.charge(slowPrice)
		b.changes("table.grow")
		b.varies()
		b.grow(at, unitEntry)
	case bulkTableSize:
		b.index("table", m.tables)
	case bulkTableFill:
		b.index("table", m.tables)
		b.changes("table.fill")
		b.length(at, unitEntry)
	default:
		if op > bulkTableFill && b.err == nil {
			b.malformed(at, "the unknown opcode 0xfc %#x", op)
		}
	}
}
