package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// enterDeclaration says one by one which options of declare are given together: of those the
// interpreter takes the first one. Options that change what is assigned are refused.
func (w *rewriter) enterDeclaration(n *syntax.DeclClause) {
	args := make([]*syntax.Assign, 0, len(n.Args))
	for _, arg := range n.Args {
		if arg.Name != nil || !arg.Naked || arg.Value == nil {
			args = append(args, arg)
			continue
		}
		option := arg.Value.Lit()
		if len(option) < 2 || option[0] != '-' && option[0] != '+' || option == "--" {
			args = append(args, arg)
			continue
		}
		if i := strings.IndexAny(option, "ilu"); i > 0 {
			w.refuse("the option "+option[:1]+option[i:i+1]+" of "+n.Variant.Value, arg.Pos())
		}
		for _, letter := range option[1:] {
			word := literal(option[:1] + string(letter))
			args = append(args, &syntax.Assign{Naked: true, Value: word})
		}
	}
	n.Args = args
	if n.Variant.Value == "typeset" { // whose variables the interpreter has for everybody
		n.Variant.Value = "declare"
	}
}
