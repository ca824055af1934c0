package metering

import (
	"slices"
	"strings"
)

// Parts of the name section.
const (
	nameFunctions = 1
	nameLocals    = 2
	nameLabels    = 3
)

// custom writes a custom section, unless its content would be wrong by now.
func (w *writer) custom(s section) error {
	r := w.open(s)
	name := string(r.bytes())
	if r.err != nil {
		return r.err
	}
	switch {
	case isAboutOffsets(name):
		return nil
	case name == "name":
		if content, ok := w.names(r); ok {
			w.section(sectionCustom, content)
		}
	default:
		w.section(sectionCustom, w.wasm[s.start:s.end])
	}
	return nil
}

// isAboutOffsets tells whether a section speaks of places in the code.
func isAboutOffsets(name string) bool {
	return slices.Contains([]string{"linking", "sourceMappingURL", "external_debug_info"}, name) ||
		slices.ContainsFunc([]string{".debug_", "reloc.", "metadata.code."}, func(prefix string) bool {
			return strings.HasPrefix(name, prefix)
		})
}

// names is the content of the name section with other indices of functions. It
// is false if the section is malformed, which doesn't make the module so.
func (w *writer) names(r *reader) (out []byte, ok bool) {
	out = appendName(out, "name")
	for r.more() {
		id := r.byte()
		size := r.count()
		p := &patch{
			reader: &reader{wasm: r.wasm, pos: r.pos, end: r.pos + size},
			module: w.module,
			copied: r.pos,
		}
		r.skip(size)
		switch id {
		case nameFunctions:
			for n := p.list(w.pieces); n > 0 && p.err == nil; n-- {
				p.named()
				_ = p.bytes()
			}
			p.flush()
			for f := range pieceFunc(w.pieces) {
				p.out = appendU32(p.out, w.emitter.firstPiece+uint32(f))
				p.out = appendName(p.out, pieceNames[f])
			}
		case nameLocals:
			p.locals()
		case nameLabels: // labels are counted, and there are more of them now
			continue
		default:
			p.rest()
		}
		if p.done("a part of the name section") != nil {
			return nil, false
		}
		p.flush()
		out = appendU32(append(out, id), uint32(len(p.out)))
		out = append(out, p.out...)
	}
	return out, r.err == nil
}

func (p *patch) locals() {
	for n := p.count(); n > 0 && p.err == nil; n-- {
		p.named()
		for m := p.count(); m > 0 && p.err == nil; m-- {
			p.u32()
			_ = p.bytes()
		}
	}
}

// named takes and replaces the index of a function, which may be one of none.
func (p *patch) named() {
	start := p.pos
	if i := p.u32(); p.err == nil {
		p.index(start, p.pos, i)
	}
}
