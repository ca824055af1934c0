package js

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A glue is functions in WebAssembly's text format, cut down to what the glue
// needs: one instruction a line, no folding, names without a dollar sign. Four
// lines make declarations:
//
//	import MODULE NAME PARAMETERS -> RESULT
//	global NAME TYPE
//	func NAME PARAMETERS -> RESULT
//	local NAME TYPE
//
// A parameter is a pair name:type, of an import a type. A function that is called
// wasmsandbox_… or _initialize is exported. A number may be one of the given
// constants.
type glue struct {
	imports []glueFunction
	globals []glueVariable
	funcs   []glueFunction
}

type glueVariable struct {
	name string
	kind byte
}

type glueFunction struct {
	module, name string
	params       []glueVariable
	results      []byte
	locals       []glueVariable
	code         []string
}

var valueTypes = map[string]byte{"i32": 0x7f, "i64": 0x7e}

func parseGlue(text string) (*glue, error) {
	g := new(glue)
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, ";;")
		if words := strings.Fields(line); len(words) > 0 {
			if err := g.declare(words); err != nil {
				return nil, fmt.Errorf("glue, line %d: %w", i+1, err)
			}
		}
	}
	return g, nil
}

// declare takes one line.
func (g *glue) declare(words []string) error {
	switch words[0] {
	case "import":
		f, err := parseSignature(words[2], words[3:])
		f.module = words[1]
		g.imports = append(g.imports, f)
		return err
	case "func":
		f, err := parseSignature(words[1], words[2:])
		g.funcs = append(g.funcs, f)
		return err
	case "global":
		g.globals = append(g.globals, glueVariable{words[1], valueTypes[words[2]]})
		return nil
	}
	if len(g.funcs) == 0 {
		return fmt.Errorf("%s outside of a function", words[0])
	}
	f := &g.funcs[len(g.funcs)-1]
	if words[0] == "local" {
		f.locals = append(f.locals, glueVariable{words[1], valueTypes[words[2]]})
		return nil
	}
	f.code = append(f.code, strings.Join(words, " "))
	return nil
}

func parseSignature(name string, words []string) (glueFunction, error) {
	f := glueFunction{name: name}
	for i, word := range words {
		if word == "->" {
			for _, result := range words[i+1:] {
				f.results = append(f.results, valueTypes[result])
			}
			break
		}
		param, kind, named := strings.Cut(word, ":")
		if !named {
			kind = param
		}
		if valueTypes[kind] == 0 {
			return f, fmt.Errorf("%q is no type", kind)
		}
		f.params = append(f.params, glueVariable{param, valueTypes[kind]})
	}
	return f, nil
}

// typeEntry is the function's type in the type section.
func (f glueFunction) typeEntry() []byte {
	entry := appendU32([]byte{0x60}, uint32(len(f.params)))
	for _, p := range f.params {
		entry = append(entry, p.kind)
	}
	return append(appendU32(entry, uint32(len(f.results))), f.results...)
}

func (f glueFunction) exported() bool {
	return f.name == "_initialize" || strings.HasPrefix(f.name, "wasmsandbox_")
}

// A scope resolves the names that a function's code uses.
type scope struct {
	functions map[string]uint32
	globals   map[string]uint32
	constants map[string]int64
}

// plainOps are instructions without operands.
var plainOps = map[string]byte{
	"unreachable": 0x00, "end": 0x0b, "return": 0x0f, "drop": 0x1a,
	"i32.eqz": 0x45, "i32.eq": 0x46, "i32.ne": 0x47, "i32.lt_u": 0x49, "i64.eqz": 0x50,
	"i32.add": 0x6a, "i32.sub": 0x6b, "i32.shl": 0x74,
	"i64.or": 0x84, "i64.shl": 0x86, "i64.shr_u": 0x88,
	"i32.wrap_i64": 0xa7, "i64.extend_i32_s": 0xac, "i64.extend_i32_u": 0xad,
}

// memoryOps are loads and stores, with their alignment.
var memoryOps = map[string][2]byte{
	"i32.load": {0x28, 2}, "i64.load": {0x29, 3}, "i32.store": {0x36, 2}, "i64.store": {0x37, 3},
}

// assemble gives an entry of the code section.
func (f glueFunction) assemble(s scope) ([]byte, error) {
	locals := map[string]uint32{}
	for _, v := range append(append([]glueVariable{}, f.params...), f.locals...) {
		locals[v.name] = uint32(len(locals))
	}
	body := appendU32(nil, uint32(len(f.locals)))
	for _, v := range f.locals {
		body = append(body, 1, v.kind)
	}
	for _, line := range f.code {
		op, operand, _ := strings.Cut(line, " ")
		var err error
		if body, err = s.instruction(body, op, operand, locals); err != nil {
			return nil, fmt.Errorf("glue, function %s, %q: %w", f.name, line, err)
		}
	}
	return appendSized(nil, append(body, plainOps["end"])), nil
}

func (s scope) instruction(body []byte, op, operand string, locals map[string]uint32) ([]byte, error) {
	if code, ok := plainOps[op]; ok {
		return append(body, code), nil
	}
	if code, ok := memoryOps[op]; ok {
		offset, err := s.number(operand)
		return appendU32(append(body, code[0], code[1]), uint32(offset)), err
	}
	switch op {
	case "if":
		return append(body, opIf, 0x40), nil
	case "i32.const", "i64.const":
		v, err := s.number(operand)
		return appendS64(append(body, map[string]byte{"i32.const": opI32Const, "i64.const": opI64Const}[op]), v), err
	case "local.get", "local.set", "local.tee":
		return named(body, map[string]byte{"local.get": 0x20, "local.set": 0x21, "local.tee": 0x22}[op], locals, operand)
	case "global.get", "global.set":
		return named(body, map[string]byte{"global.get": 0x23, "global.set": 0x24}[op], s.globals, operand)
	case "call":
		return named(body, opCall, s.functions, operand)
	case "memory.copy":
		return append(body, opPrefix, 10, 0, 0), nil
	case "memory.init":
		segment, err := s.number(operand)
		return append(appendU32(append(body, opPrefix, 8), uint32(segment)), 0), err
	}
	return nil, errors.New("it isn't known")
}

func named(body []byte, op byte, indices map[string]uint32, name string) ([]byte, error) {
	index, ok := indices[name]
	if !ok {
		return nil, fmt.Errorf("%q isn't declared", name)
	}
	return appendU32(append(body, op), index), nil
}

// number is a constant, a number, or 0 where there is none.
func (s scope) number(text string) (int64, error) {
	if v, ok := s.constants[text]; ok || text == "" {
		return v, nil
	}
	return strconv.ParseInt(text, 0, 64)
}
