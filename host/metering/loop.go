package metering

// The call of the import that a check may make would be part of each loop, and an
// engine's compiler keeps less in registers there than in a loop without calls.
// So a loop gets a guard, which has the call outside of it:
//
//	block T        ;; done
//	  loop T       ;; again
//	    block      ;; empty
//	      loop T   ;; the original
//	        if there is no fuel left, branch to empty
//	        the charge of the loop's first segment
//	        …
//	      end
//	      br done
//	    end
//	    ask for more fuel
//	    br again
//	  end
//	end
//
// A loop with parameters is the exception: they would have to be kept for the
// second try, and compilers hardly ever make one. It has the call inside.

// guardLabels is how many labels a guard adds around a loop.
const guardLabels = 3

// guard gives the loop at a place, whose frame is on top, a guard.
func (b *body) guard(at int) {
	b.edit(editGuard, at, at, uint32(b.pos-at-1))
	f := b.top()
	f.guarded = true
	f.shift += guardLabels
}

// shifted is a label with those added that guards inside of its target have.
func (b *body) shifted(label uint32) uint32 {
	return label + b.top().shift - b.frames[len(b.frames)-1-int(label)].shift
}

func (e *emitter) guard(blockType []byte) {
	e.out = append(append(e.out, opBlock), blockType...)
	e.out = append(append(e.out, opLoop), blockType...)
	e.out = append(e.out, opBlock, typeEmpty)
}

// checkGuarded checks at the start of a guarded loop.
func (e *emitter) checkGuarded() {
	e.isEmpty()
	e.op(opBrIf, 1)
}

func (e *emitter) unguard() {
	e.op(opBr, 2)
	e.out = append(e.out, opEnd)
	e.refill()
	e.op(opBr, 0)
	e.out = append(e.out, opEnd, opEnd)
}
