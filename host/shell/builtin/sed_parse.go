package builtin

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A sedParser takes a script apart.
type sedParser struct {
	source  sedSource
	text    string
	at      int
	options *sedOptions
	program []sedCommand
	blocks  []int // where they begin
}

// maxSedNumber is the largest number that a script may have.
const maxSedNumber = math.MaxInt32

func (p *sedParser) errorf(format string, a ...any) error { return p.errorAt(p.at, format, a...) }

func (p *sedParser) errorAt(offset int, format string, a ...any) error {
	return complaint(p.source.place(offset) + ": " + fmt.Sprintf(format, a...))
}

func (p *sedParser) end() bool { return p.at >= len(p.text) }

// peek is the next byte, or 0.
func (p *sedParser) peek() byte {
	if p.end() {
		return 0
	}
	return p.text[p.at]
}

func (p *sedParser) skip(set string) {
	for !p.end() && strings.IndexByte(set, p.text[p.at]) >= 0 {
		p.at++
	}
}

const sedBlanks = " \t\r\v\f"

func (p *sedParser) parse() ([]sedCommand, error) {
	for {
		p.skip(sedBlanks + "\n;")
		if p.end() {
			break
		}
		if err := p.command(); err != nil {
			return nil, err
		}
	}
	if len(p.blocks) > 0 {
		return nil, p.errorAt(0, "unmatched `{'")
	}
	return p.program, p.resolve()
}

// resolve finds the labels of jumps.
func (p *sedParser) resolve() error {
	labels := map[string]int{"": len(p.program)}
	for i, cmd := range p.program {
		if cmd.name == ':' {
			labels[cmd.text] = i
		}
	}
	for i := range p.program {
		cmd := &p.program[i]
		if strings.IndexByte("btT", cmd.name) < 0 {
			continue
		}
		target, found := labels[cmd.text]
		if !found {
			return complaint(fmt.Sprintf("can't find label for jump to `%s'", cmd.text))
		}
		cmd.target = target
	}
	return nil
}

func (p *sedParser) command() error {
	cmd := sedCommand{number: -1}
	if err := p.addresses(&cmd); err != nil {
		return err
	}
	p.skip(sedBlanks)
	for p.peek() == '!' {
		p.at++
		if cmd.not {
			return p.errorf("multiple `!'s")
		}
		cmd.not = true
		p.skip(sedBlanks)
	}
	if p.end() {
		return p.errorf("missing command")
	}
	cmd.name = p.text[p.at]
	p.at++
	return p.arguments(&cmd)
}

// arguments reads what comes after the name of a command.
func (p *sedParser) arguments(cmd *sedCommand) error {
	var err error
	switch cmd.name {
	case '#':
		if cmd.from != nil {
			return p.errorf("comments don't accept any addresses")
		}
		p.line()
		return nil
	case '{':
		p.blocks = append(p.blocks, len(p.program))
	case '}':
		err = p.closeBlock(cmd)
	case 's':
		err = p.substitution(cmd)
	case 'y':
		err = p.table(cmd)
	case 'a', 'i', 'c':
		err = p.insertion(cmd)
	case ':', 'b', 't', 'T':
		err = p.label(cmd)
	case 'r', 'R', 'w', 'W':
		err = p.fileName(cmd)
	case 'q', 'Q', 'l', 'L':
		err = p.numbered(cmd)
	case 'e':
		return p.errorf("the `e' command is not supported")
	case 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z', '=', 'F':
		err = p.endOfCommand()
	default:
		return p.errorf("unknown command: `%c'", cmd.name)
	}
	p.program = append(p.program, *cmd)
	return err
}

func (p *sedParser) closeBlock(cmd *sedCommand) error {
	n := len(p.blocks)
	if n == 0 {
		return p.errorf("unexpected `}'")
	}
	if cmd.from != nil {
		return p.errorf("} doesn't want any addresses")
	}
	p.program[p.blocks[n-1]].target = len(p.program)
	p.blocks = p.blocks[:n-1]
	return p.endOfCommand()
}

// endOfCommand reads what may stand after a command.
func (p *sedParser) endOfCommand() error {
	p.skip(sedBlanks)
	switch p.peek() {
	case '}', '#':
		return nil
	case ';', '\n':
		p.at++
		return nil
	}
	if p.end() {
		return nil
	}
	p.at++
	return p.errorf("extra characters after command")
}

func (p *sedParser) number() (int, error) {
	begin := p.at
	p.skip("0123456789")
	n, err := strconv.Atoi(p.text[begin:p.at])
	if err != nil || n > maxSedNumber {
		return 0, p.errorf("invalid number")
	}
	return n, nil
}

func (p *sedParser) isDigit() bool { return p.peek() >= '0' && p.peek() <= '9' }

func (p *sedParser) numbered(cmd *sedCommand) error {
	if cmd.to != nil && (cmd.name == 'q' || cmd.name == 'Q') {
		return p.errorf("command only uses one address")
	}
	p.skip(sedBlanks)
	if p.isDigit() {
		var err error
		if cmd.number, err = p.number(); err != nil {
			return err
		}
	}
	return p.endOfCommand()
}

// line takes the rest of the line.
func (p *sedParser) line() string {
	rest := p.text[p.at:]
	if n := strings.IndexByte(rest, '\n'); n >= 0 {
		p.at += n + 1
		return rest[:n]
	}
	p.at = len(p.text)
	return rest
}

func (p *sedParser) fileName(cmd *sedCommand) error {
	p.skip(sedBlanks)
	if p.options.sandbox {
		return p.errorf("e/r/w commands disabled in sandbox mode")
	}
	if cmd.text = p.line(); cmd.text == "" {
		return p.errorf("missing filename in r/R/w/W commands")
	}
	return nil
}

func (p *sedParser) label(cmd *sedCommand) error {
	if cmd.name == ':' && cmd.from != nil {
		return p.errorf(": doesn't want any addresses")
	}
	p.skip(sedBlanks)
	ends := sedBlanks + "\n;"
	if cmd.name != ':' {
		ends += "}"
	}
	n := strings.IndexAny(p.text[p.at:], ends)
	if n < 0 {
		n = len(p.text) - p.at
	}
	cmd.text = p.text[p.at : p.at+n]
	p.at += n
	if cmd.name == ':' && cmd.text == "" {
		return p.errorf("\":\" lacks a label")
	}
	return p.endOfCommand()
}
