package expression

import (
	"fmt"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/decls"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/ext"
)

// shrinking are the functions of the strings extension whose results are no
// larger than what they are given. Of the others, such as replace and split, one
// call may ask for more memory than there is, which the cost limit would find
// only after.
var shrinking = []string{
	"charAt", "indexOf", "lastIndexOf", "lowerAscii", "reverse", "substring", "trim", "upperAscii",
}

// maxJoined is the longest text that join makes, in bytes.
const maxJoined = 16 << 20

// stringFunctions are the functions of strings that expressions can use: those
// above, and a join that is bounded.
func stringFunctions() ([]*decls.FunctionDecl, error) {
	all, err := cel.NewCustomEnv(ext.Strings())
	if err != nil {
		return nil, err
	}
	functions := make([]*decls.FunctionDecl, 0, len(shrinking)+1)
	for _, name := range shrinking {
		function, ok := all.Functions()[name]
		if !ok {
			return nil, fmt.Errorf("the strings extension has no function %s", name)
		}
		functions = append(functions, function)
	}
	joins, err := decls.NewFunction("join",
		decls.MemberOverload("list_join", []*types.Type{types.NewListType(types.StringType)}, types.StringType,
			decls.UnaryBinding(func(list ref.Val) ref.Val { return join(list, types.String("")) })),
		decls.MemberOverload("list_join_string", []*types.Type{types.NewListType(types.StringType), types.StringType},
			types.StringType, decls.BinaryBinding(join)))
	return append(functions, joins), err
}

func join(list, separator ref.Val) ref.Val {
	items, ok := list.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(list)
	}
	between, ok := separator.(types.String)
	if !ok {
		return types.MaybeNoSuchOverloadErr(separator)
	}
	var b strings.Builder
	for i := types.Int(0); i < items.Size().(types.Int); i++ {
		item, ok := items.Get(i).(types.String)
		if !ok {
			return types.MaybeNoSuchOverloadErr(items.Get(i))
		}
		if i > 0 {
			b.WriteString(string(between))
		}
		if b.Len()+len(item)+len(between) > maxJoined {
			return types.NewErr("the joined text is longer than %d bytes", maxJoined)
		}
		b.WriteString(string(item))
	}
	return types.String(b.String())
}
