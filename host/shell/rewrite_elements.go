package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The interpreter loses the whole array when something is appended to an element, takes an
// array for unset that has got nothing but elements one by one, and fails when an expression
// assigns to an element. So
//
//	m[x]=y  m[x]+=y  m+=([x]=y [z]=1)  ((m[x] += y))  ((m[x]++))
//
// become
//
//	m+=() m[x]=y
//	m+=() m[x]="${m[x]-}"y
//	m+=() m[x]=y m+=() m[z]=1
//	{ m+=() m[x]=$((${m[x]-0} + (y))); ((${m[x]-0})); }
//	{ m+=() m[x]=$((${m[x]-0} + 1)); ((${m[x]-0} - 1)); }

// apart are assignments of which each one is of an element, or of a whole variable.
func (w *rewriter) apart(assigns []*syntax.Assign) []*syntax.Assign {
	var out []*syntax.Assign
	for _, as := range assigns {
		switch {
		case as.Append && as.Array != nil && haveKeys(as.Array.Elems):
			for _, elem := range as.Array.Elems {
				out = append(out, element(as.Name, elem.Index, elem.Value)...)
			}
		case as.Index == nil || as.Array != nil:
			out = append(out, as)
		case as.Append:
			w.refuseChanges(as.Index)
			value := quoted(&syntax.ParamExp{Param: as.Name, Index: as.Index, Exp: &syntax.Expansion{Op: syntax.DefaultUnset}})
			if as.Value != nil {
				value.Parts = append(value.Parts, as.Value.Parts...)
			}
			out = append(out, element(as.Name, as.Index, value)...)
		default:
			out = append(out, element(as.Name, as.Index, as.Value)...)
		}
	}
	return out
}

// element assigns to an element of what is an array from then on.
func element(name *syntax.Lit, index syntax.ArithmExpr, value *syntax.Word) []*syntax.Assign {
	return []*syntax.Assign{
		{Append: true, Name: name, Array: &syntax.ArrayExpr{}},
		{Name: name, Index: index, Value: value},
	}
}

func haveKeys(elems []*syntax.ArrayElem) bool {
	return len(elems) > 0 && !slices.ContainsFunc(elems, func(elem *syntax.ArrayElem) bool { return elem.Index == nil })
}

// refuseChanges refuses an index that must not be evaluated twice.
func (w *rewriter) refuseChanges(index syntax.ArithmExpr) {
	syntax.Walk(index, func(node syntax.Node) bool {
		changes := false
		switch n := node.(type) {
		case *syntax.CmdSubst:
			changes = true
		case *syntax.UnaryArithm:
			changes = n.Op == syntax.Inc || n.Op == syntax.Dec
		case *syntax.BinaryArithm:
			changes = assigns(n)
		}
		if changes {
			w.refuse("an element whose index changes something", index.Pos())
		}
		return true
	})
}

// enterIndex has a look taken at whether an expression would be a key, which the interpreter
// takes for none.
func (w *rewriter) enterIndex(name *syntax.Lit, index syntax.ArithmExpr) {
	switch index.(type) {
	case *syntax.BinaryArithm, *syntax.UnaryArithm, *syntax.ParenArithm:
		w.current().indexes = append(w.current().indexes, name.Value)
	}
}

// simple are the operators of those that assign as well.
var simple = map[syntax.BinAritOperator]syntax.BinAritOperator{
	syntax.AddAssgn: syntax.Add, syntax.SubAssgn: syntax.Sub, syntax.MulAssgn: syntax.Mul, syntax.QuoAssgn: syntax.Quo,
	syntax.RemAssgn: syntax.Rem, syntax.AndAssgn: syntax.And, syntax.OrAssgn: syntax.Or, syntax.XorAssgn: syntax.Xor,
	syntax.ShlAssgn: syntax.Shl, syntax.ShrAssgn: syntax.Shr,
}

func assigns(n *syntax.BinaryArithm) bool { return n.Op == syntax.Assgn || simple[n.Op] != 0 }

// enterElement changes a command that assigns to an element.
func (w *rewriter) enterElement(n *syntax.Stmt) {
	c, ok := n.Cmd.(*syntax.ArithmCmd)
	if !ok {
		return
	}
	var target *syntax.ParamExp
	var value, result syntax.ArithmExpr
	one := literal("1")
	switch x := c.X.(type) {
	case *syntax.UnaryArithm:
		if target = elementOf(x.X); target == nil || x.Op != syntax.Inc && x.Op != syntax.Dec {
			return
		}
		forth, back := syntax.Add, syntax.Sub
		if x.Op == syntax.Dec {
			forth, back = back, forth
		}
		value, result = &syntax.BinaryArithm{Op: forth, X: current(target), Y: one}, current(target)
		if x.Post {
			result = &syntax.BinaryArithm{Op: back, X: result, Y: one}
		}
	case *syntax.BinaryArithm:
		if target = elementOf(x.X); target == nil || !assigns(x) {
			return
		}
		value, result = &syntax.ParenArithm{X: x.Y}, current(target)
		if op := simple[x.Op]; op != 0 {
			value = &syntax.BinaryArithm{Op: op, X: current(target), Y: value}
		}
	default:
		return
	}
	w.refuseChanges(target.Index)
	assign := &syntax.CallExpr{Assigns: element(target.Param, target.Index, quoted(&syntax.ArithmExp{X: value}))}
	n.Cmd = block(stmt(assign), stmt(&syntax.ArithmCmd{X: result}))
}

// elementOf is the element that an operand is, or nil.
func elementOf(x syntax.ArithmExpr) *syntax.ParamExp {
	word, ok := x.(*syntax.Word)
	if !ok || len(word.Parts) != 1 {
		return nil
	}
	if p, ok := word.Parts[0].(*syntax.ParamExp); ok && p.Index != nil && p.Short {
		return p
	}
	return nil
}

// current is the value of an element within an expression.
func current(p *syntax.ParamExp) *syntax.Word {
	value := &syntax.ParamExp{Param: p.Param, Index: p.Index, Exp: &syntax.Expansion{Op: syntax.DefaultUnset, Word: literal("0")}}
	return &syntax.Word{Parts: []syntax.WordPart{value}}
}

// named is the element that a word names, or nil.
func named(x syntax.TestExpr) *syntax.ParamExp {
	word, ok := x.(*syntax.Word)
	if !ok || len(word.Parts) < 2 {
		return nil
	}
	parts := slices.Clone(word.Parts)
	name, _ := parts[0].(*syntax.Lit)
	last, _ := parts[len(parts)-1].(*syntax.Lit)
	if name == nil || last == nil || !syntax.ValidName(name.Value) {
		return nil
	}
	index := &syntax.Word{}
	for i, part := range parts[1:] {
		if lit, ok := part.(*syntax.Lit); ok {
			text, begins, ends := lit.Value, i == 0, i == len(parts)-2
			if begins && !strings.HasPrefix(text, "[") || ends && !strings.HasSuffix(text, "]") {
				return nil
			}
			if begins {
				text = text[1:]
			}
			if ends {
				text = strings.TrimSuffix(text, "]")
			}
			if text == "" {
				continue
			}
			part = &syntax.Lit{Value: text}
		}
		index.Parts = append(index.Parts, part)
	}
	if len(index.Parts) == 0 {
		return nil
	}
	return &syntax.ParamExp{Param: name, Index: index}
}
