package builtin

import (
	"errors"
	"regexp"
	"strings"

	"github.com/benhoyt/goawk/interp"
	"github.com/benhoyt/goawk/lexer"
	"github.com/benhoyt/goawk/parser"
)

// awkFailed is the exit code of awk for what isn't the program's own.
const awkFailed = 2

// An awkRun is one awk.
type awkRun struct {
	c        *command
	vars     []string // names and values by turns
	operands []string
	prefix   string // of the names that the rewritten program has on top
	in       awkInput
	out      awkOutput
	files    awkFiles
	loops    awkLoops
	matching awkMatching
}

// awk runs programs of awk.
func awk(c *command, args []string) int {
	r := &awkRun{c: c}
	program, err := r.arguments(args)
	if err != nil {
		return c.badUsage(awkFailed, err)
	}
	if program == nil {
		c.print("awk, an implementation for sandboxes\n")
		return 0
	}
	code, err := r.run(*program)
	if err != nil && !c.stop() {
		return c.fail(awkFailed, "%v", err)
	}
	return code
}

// arguments reads the arguments. Without a program they ask for the version.
func (r *awkRun) arguments(args []string) (program *string, err error) {
	options, operands, err := grammar{letters: "F:v:f:e:V", ordered: true, long: map[string]byte{
		"field-separator": 'F', "assign": 'v', "file": 'f', "source": 'e', "version": 'V',
	}}.parse(args)
	if err != nil {
		return nil, err
	}
	var parts []string
	for _, o := range options {
		switch o.letter {
		case 'V':
			return nil, nil
		case 'F':
			separator := awkSeparator(o.value)
			if err := awkAssignable("FS", separator); err != nil {
				return nil, err
			}
			r.vars = append(r.vars, "FS", separator)
		case 'v':
			name, value, ok := strings.Cut(o.value, "=")
			if !ok || !awkName.MatchString(name) {
				return nil, complaint("`" + o.value + "' argument to `-v' not in `var=value' form")
			}
			if err := awkAssignable(name, value); err != nil {
				return nil, err
			}
			r.vars = append(r.vars, name, awkUnescape(value))
		case 'f':
			text, err := r.c.fileText(o.value)
			if err != nil {
				return nil, err
			}
			parts = append(parts, text)
		default:
			parts = append(parts, o.value)
		}
	}
	if len(parts) == 0 {
		if len(operands) == 0 {
			return nil, complaint("no program given")
		}
		parts, operands = operands[:1], operands[1:]
	}
	r.operands = operands
	text := strings.Join(parts, "\n")
	return &text, nil
}

var (
	awkName       = regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*$`)
	awkAssignment = regexp.MustCompile(`^([_a-zA-Z][_a-zA-Z0-9]*)=(?s:(.*))$`)
)

// awkSeparator is what -F means.
func awkSeparator(text string) string {
	if text == "t" {
		return "\t"
	}
	return awkUnescape(text)
}

func awkUnescape(text string) string {
	if unescaped, err := lexer.Unescape(text); err == nil {
		return unescaped
	}
	return text
}

const errAwkSeparator = complaint("the separator is too long")

const (
	// maxAwkSeparator is how long what is put between fields may be: there can be a
	// great many of them.
	maxAwkSeparator = 64

	// maxAwkDivider is the size of a regular expression that divides records or fields:
	// the library looks for it in all of the input, and at no context meanwhile.
	maxAwkDivider = maxMatch / maxAwkString
)

// awkAssignable reports whether a variable may have a value from outside.
func awkAssignable(name, value string) error {
	var err error
	switch awkSeparators[name] {
	case "short":
		_, err = awkShort(value)
	case "divider":
		_, err = awkDivider(value)
	}
	return err
}

// awkSeparators are the variables of which not every value is good, and the functions
// that look at it.
var awkSeparators = map[string]string{"OFS": "short", "SUBSEP": "short", "FS": "divider", "RS": "divider"}

// run rewrites a program so that nothing in it is for the host, and runs it.
func (r *awkRun) run(text string) (int, error) {
	if len(text) > maxProgram {
		return 0, errProgram
	}
	for r.prefix = "sandbox_"; strings.Contains(text, r.prefix); r.prefix += "_" {
	}
	functions := r.functions()
	config := &parser.ParserConfig{Funcs: functions}
	program, err := parser.ParseProgram([]byte(text), config)
	if err != nil {
		return 0, err
	}
	rewritten, err := r.rewrite(program, strings.Contains(text, "ARGV") || strings.Contains(text, "ARGC"))
	if err != nil {
		return 0, err
	}
	if program, err = parser.ParseProgram([]byte(rewritten), config); err != nil {
		return 0, err
	}
	args, err := r.inputs()
	if err != nil {
		return 0, err
	}
	interpreter, err := interp.New(program)
	if err != nil {
		return 0, err
	}
	ctx, stop := watchMemory(r.c.Context)
	code, err := interpreter.ExecuteContext(ctx, &interp.Config{
		Stdin: &r.in, Output: &r.out, Error: r.c.Stderr, Argv0: "awk", Args: args, Vars: r.vars, Funcs: functions,
		NoExec: true, NoFileWrites: true, NoFileReads: true, Environ: r.environ(), NewlineOutput: interp.RawNewlineMode,
	})
	if stop() && r.c.Err() == nil {
		err = errMemory
	}
	return code & 0xff, errors.Join(err, r.files.closeAll())
}

func (r *awkRun) environ() []string {
	pairs := []string{}
	for _, entry := range r.c.Env {
		name, value, _ := strings.Cut(entry, "=")
		pairs = append(pairs, name, value)
	}
	return pairs
}

// inputs prepares the input, and gives the arguments for it: each file is the
// standard input to the interpreter, after an assignment of its name.
func (r *awkRun) inputs() ([]string, error) {
	r.in.run, r.out.c, r.files.run = r, r.c, r
	r.files.open, r.files.readers = map[string]*awkFile{}, map[string]*awkReader{}
	var args []string
	for _, operand := range r.operands {
		if m := awkAssignment.FindStringSubmatch(operand); m != nil {
			if err := awkAssignable(m[1], m[2]); err != nil {
				return nil, err
			}
			args = append(args, operand)
			continue
		}
		if operand == "" {
			continue
		}
		r.in.files = append(r.in.files, operand)
		args = append(args, r.prefix+"FILENAME="+awkEscape(operand), "-")
	}
	if len(r.in.files) == 0 {
		r.in.files = []string{"-"}
	}
	return args, nil
}

// awkEscape has an assignment give a text as it is.
func awkEscape(text string) string { return strings.ReplaceAll(text, `\`, `\\`) }
