package metering

// valueType takes the type of a value.
func (r *reader) valueType() byte {
	at := r.pos
	t := r.byte()
	if r.err == nil && !isValueType(t) {
		r.refuseType(at, t)
	}
	return t
}

func isValueType(t byte) bool {
	switch t {
	case typeI32, typeI64, typeF32, typeF64, typeV128, typeFuncRef, typeExternRef:
		return true
	default:
		return false
	}
}

func (r *reader) refuseType(at int, t byte) {
	switch {
	case t == 0x63 || t == 0x64:
		r.unsupported(at, "a typed reference", "typed function references")
	case t == 0x69 || t == 0x74:
		r.unsupported(at, "a reference to an exception", "exceptions")
	case t > 0x69 && t < 0x74:
		r.unsupported(at, "a reference to an object", "garbage collection")
	default:
		r.malformed(at, "the unknown type %#x", t)
	}
}

// types takes a list of types, which aliases the module.
func (r *reader) types() []byte {
	at := r.pos
	n := r.count()
	if n > maxTypes {
		r.tooLarge(at, "a list of %d types, the most is %d", n, maxTypes)
		return nil
	}
	start := r.pos
	for range n {
		_ = r.valueType()
	}
	if r.err != nil {
		return nil
	}
	return r.wasm[start:r.pos]
}

func (r *reader) refType() {
	at := r.pos
	if t := r.valueType(); r.err == nil && t != typeFuncRef && t != typeExternRef {
		r.malformed(at, "the type %#x, which isn't one of references", t)
	}
}

func (r *reader) tableType() {
	if r.more() && r.wasm[r.pos] == 0x40 {
		r.unsupported(r.pos, "a table with an initial value", "typed function references")
		return
	}
	r.refType()
	r.limits()
}

func (r *reader) limits() {
	at := r.pos
	flags := r.byte()
	switch {
	case flags > 7:
		r.malformed(at, "limits with the unknown flags %#x", flags)
	case flags&4 != 0:
		r.unsupported(at, "a memory of 64 bits", "memory64")
	case flags&2 != 0:
		r.unsupported(at, "a shared memory", "threads")
	}
	r.u32()
	if flags&1 != 0 {
		r.u32()
	}
}

func (r *reader) globalType() global {
	kind := r.valueType()
	at := r.pos
	switch mutable := r.byte(); mutable {
	case 0, 1:
		return global{kind, mutable == 1}
	case 2, 3:
		r.unsupported(at, "a shared global", "threads")
	default:
		r.malformed(at, "a global with the unknown flags %#x", mutable)
	}
	return global{}
}

// blockType takes the type of a block, and tells how many parameters and results it has.
func (r *reader) blockType(types []funcType) (params, results int) {
	at := r.pos
	b := r.byte()
	if b == typeEmpty {
		return 0, 0
	}
	if isValueType(b) {
		return 0, 1
	}
	if b&0xc0 == 0x40 { // a negative number of one byte
		r.refuseType(at, b)
		return 0, 0
	}
	r.pos = at
	i := r.s64(5)
	if r.err == nil && (i < 0 || i >= int64(len(types))) {
		r.malformed(at, "a block of the type %d of %d", i, len(types))
	}
	if r.err != nil {
		return 0, 0
	}
	return types[i].params, len(types[i].results)
}

// constant takes a constant expression. It calls function for each reference to
// a function, with the place of the index.
func (r *reader) constant(m *module, function func(start, end int, index uint32)) {
	for {
		at := r.pos
		switch op := r.byte(); op {
		case opEnd:
			return
		case opGlobalGet:
			r.index("global", len(m.globals))
		case opI32Const:
			r.s64(5)
		case opI64Const:
			r.s64(10)
		case opF32Const:
			r.skip(4)
		case opF64Const:
			r.skip(8)
		case opI32Add, opI32Sub, opI32Mul, opI64Add, opI64Sub, opI64Mul:
		case opRefNull:
			r.refType()
		case opRefFunc:
			start := r.pos
			i := r.index("function", len(m.functions))
			if r.err == nil {
				function(start, r.pos, i)
			}
		case opPrefixVector:
			if sub := r.u32(); sub != vectorConst {
				r.malformed(at, "the vector opcode %d in a constant expression", sub)
			}
			r.skip(16)
		case opPrefixGC:
			r.unsupported(at, "an opcode for objects", "garbage collection")
		default:
			r.malformed(at, "the opcode %#x in a constant expression", op)
		}
		if r.err != nil {
			return
		}
	}
}
