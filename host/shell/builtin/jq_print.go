package builtin

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/itchyny/gojq"
)

const (
	maxJSONDepth = 10000

	errJSONDepth = complaint("the value is nested too deep")
)

// A jqPrinter prints values as JSON.
type jqPrinter struct {
	out    io.Writer
	indent int // -1: all on one line
	tab    bool
	ascii  bool
	ended  func() error // why nothing more is to be printed, if it isn't

	to     *bufio.Writer
	depth  int
	values int
}

func (p *jqPrinter) print(value any) error {
	p.to = bufio.NewWriter(p.out) // p.out itself, if it is one
	if err := p.value(value); err != nil {
		return err
	}
	return p.to.Flush()
}

func (p *jqPrinter) value(value any) error {
	const perLook = 4096
	if p.values++; p.values%perLook == 0 {
		if err := p.ended(); err != nil {
			return err
		}
	}
	switch value := value.(type) {
	case []any:
		return p.array(value)
	case map[string]any:
		return p.object(value)
	case json.Number:
		return p.write(value.String())
	case *big.Int:
		return p.write(value.String())
	default:
		return p.scalar(value)
	}
}

func (p *jqPrinter) write(text string) error {
	_, err := p.to.WriteString(text)
	return err
}

// scalar prints what has nothing in it.
func (p *jqPrinter) scalar(value any) error {
	text, err := gojq.Marshal(value)
	if err != nil {
		return err
	}
	if !p.ascii {
		return p.write(string(text))
	}
	for _, r := range string(text) {
		switch {
		case r < 0x80:
			err = p.to.WriteByte(byte(r))
		case r < 0x10000:
			_, err = fmt.Fprintf(p.to, "\\u%04x", r)
		default:
			high, low := utf16.EncodeRune(r)
			_, err = fmt.Fprintf(p.to, "\\u%04x\\u%04x", high, low)
		}
	}
	return err
}

func (p *jqPrinter) array(value []any) error {
	if len(value) == 0 {
		return p.write("[]")
	}
	err := p.enter("[")
	for i, element := range value {
		if err == nil && i > 0 {
			err = p.write(",")
		}
		if err == nil {
			err = p.line()
		}
		if err == nil {
			err = p.value(element)
		}
		if err != nil {
			return err
		}
	}
	return p.leave("]")
}

func (p *jqPrinter) object(value map[string]any) error {
	if len(value) == 0 {
		return p.write("{}")
	}
	err := p.enter("{")
	colon := ":"
	if p.indent >= 0 {
		colon = ": "
	}
	for i, key := range slices.Sorted(maps.Keys(value)) {
		if err == nil && i > 0 {
			err = p.write(",")
		}
		if err == nil {
			err = p.line()
		}
		if err == nil {
			err = p.scalar(key)
		}
		if err == nil {
			err = p.write(colon)
		}
		if err == nil {
			err = p.value(value[key])
		}
		if err != nil {
			return err
		}
	}
	return p.leave("}")
}

func (p *jqPrinter) enter(text string) error {
	if p.depth++; p.depth > maxJSONDepth {
		return errJSONDepth
	}
	return p.write(text)
}

func (p *jqPrinter) leave(text string) error {
	p.depth--
	if err := p.line(); err != nil {
		return err
	}
	return p.write(text)
}

// line begins a line.
func (p *jqPrinter) line() error {
	if p.indent < 0 {
		return nil
	}
	blank := " "
	if p.tab {
		blank = "\t"
	}
	return p.write("\n" + strings.Repeat(blank, p.indent*p.depth))
}
