package builtin

import (
	"encoding/json"

	"github.com/itchyny/gojq"
)

const (
	// maxProgram is how long a program of awk may be: the library that reads it goes
	// as deep as the program does.
	maxProgram = 64 << 10
	// maxFilter is the same for jq, which takes more than linear time.
	maxFilter = 32 << 10
)

const errProgram = complaint("the program is too long")

// jqOwn are functions in the place of those that would ask the host, or make values of
// others between which the guard has to look.
const jqOwn = `
def now: now_;
def localtime: gmtime;
def strflocaltime($format): strftime($format);
def input_line_number: 0;
def get_search_list: [];
def leaf_paths: paths(scalars);
def add(f): [f] | sum_ | add;
def INDEX(stream; f): reduce stream as $row ({}; .[$row | f | short_ | tostring] = $row);
def INDEX(f): INDEX(.[]; f);
def IN(s): any(compare_(s; .) == 0; .);
def IN(src; s): any(compare_(src; s) == 0; .);
.`

// compile compiles the filter.
func (r *jqRun) compile() (*gojq.Code, error) {
	if len(r.options.filter) > maxFilter {
		return nil, errProgram
	}
	query, err := gojq.Parse(r.options.filter)
	if err != nil {
		return nil, complaint("error: syntax error, " + err.Error() + "\njq: 1 compile error")
	}
	if query.Meta != nil || len(query.Imports) > 0 {
		return nil, complaint("error: modules are not supported\njq: 1 compile error")
	}
	guardQuery(query)
	own, err := gojq.Parse(jqMatches + jqOwn)
	if err != nil {
		return nil, err
	}
	query.FuncDefs = append(own.FuncDefs, query.FuncDefs...)
	code, err := gojq.Compile(query, r.functions()...)
	if err != nil {
		return nil, complaint("error: " + err.Error() + "\njq: 1 compile error")
	}
	return code, nil
}

func (r *jqRun) functions() []gojq.CompilerOption {
	g := &jqGuard{ended: r.c.Err}
	return []gojq.CompilerOption{
		gojq.WithVariables(r.options.names),
		gojq.WithInputIter(r.input),
		gojq.WithEnvironLoader(func() []string { return r.c.Env }),
		gojq.WithFunction("now_", 0, 0, func(any, []any) any { return float64(r.c.Files.Now()) / 1e9 }),
		gojq.WithFunction("input_filename", 0, 0, func(any, []any) any {
			if r.input.name == "" {
				return nil
			}
			return r.input.name
		}),
		gojq.WithFunction("debug", 0, 0, func(value any, _ []any) any {
			return r.tell(value, []any{"DEBUG:", value}, "\n")
		}),
		gojq.WithFunction("stderr", 0, 0, func(value any, _ []any) any { return r.tell(value, value, "") }),
		gojq.WithFunction("fit_", 0, 0, func(value any, _ []any) any { return g.fit(value) }),
		gojq.WithFunction("times_", 2, 2, func(_ any, args []any) any { return g.times(args[0], args[1]) }),
		gojq.WithFunction("compare_", 2, 2, func(_ any, args []any) any { return g.order(args[0], args[1]) }),
		gojq.WithFunction("minus_", 2, 2, func(_ any, args []any) any { return g.minus(args[0], args[1]) }),
		gojq.WithFunction("pair_", 1, 1, func(value any, args []any) any { return g.pair(args[0], value) }),
		gojq.WithFunction("index_", 0, 0, func(value any, _ []any) any { return g.index(value) }),
		gojq.WithFunction("indexes_", 0, 0, func(value any, _ []any) any { return g.indexes(value) }),
		gojq.WithFunction("small_", 0, 0, func(value any, _ []any) any { return g.small(value) }),
		gojq.WithFunction("digits_", 0, 0, func(value any, _ []any) any { return g.digits(value) }),
		gojq.WithFunction("regex_", 1, 1, func(value any, args []any) any { return g.regex(value, args[0]) }),
		gojq.WithIterFunction("match_", 2, 2, func(value any, args []any) gojq.Iter {
			return g.matches(value.(string), args[0].(string), args[1])
		}),
		gojq.WithFunction("short_", 0, 0, func(value any, _ []any) any { return g.short(value) }),
		gojq.WithFunction("sum_", 0, 0, func(value any, _ []any) any { return g.sum(value) }),
		gojq.WithFunction("characters_", 0, 0, func(value any, _ []any) any { return g.characters(value) }),
		gojq.WithFunction("joint_", 1, 1, func(value any, args []any) any { return g.joint(args[0], value) }),
		gojq.WithFunction("parts_", 1, 1, func(value any, args []any) any { return g.parts(args[0], value) }),
		gojq.WithFunction("over_", 2, 2, func(_ any, args []any) any { return g.over(args[0], args[1]) }),
		gojq.WithFunction("grid_", 0, 0, func(value any, _ []any) any { return g.grid(value) }),
		gojq.WithFunction("flat_", 0, 0, func(value any, _ []any) any { return g.flat(value) }),
	}
}

// tell prints a value to the standard error.
func (r *jqRun) tell(value, shown any, end string) any {
	_ = r.c.out.Flush()
	p := jqPrinter{out: r.c.Stderr, ended: r.c.Err, indent: -1}
	err := p.print(shown)
	if err == nil {
		_, err = r.c.Stderr.Write([]byte(end))
	}
	if err != nil {
		return err
	}
	return value
}

// jqNumber is a number of any of the kinds that there are.
func jqNumber(value any) (float64, bool) {
	switch value.(type) {
	case int, float64, json.Number:
		return gojq.ToFloat64(value)
	}
	return 0, false
}
