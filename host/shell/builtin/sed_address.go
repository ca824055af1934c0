package builtin

// addresses reads those before a command, if there are any.
func (p *sedParser) addresses(cmd *sedCommand) error {
	var err error
	if cmd.from, err = p.address(); cmd.from == nil || err != nil {
		return err
	}
	first := cmd.from.isZero()
	p.skip(sedBlanks)
	if p.peek() == ',' {
		p.at++
		p.skip(sedBlanks)
		if cmd.to, err = p.secondAddress(); err != nil {
			return err
		}
		if cmd.to == nil {
			return p.errorf("unexpected `,'")
		}
	}
	p.skip(sedBlanks)
	if first && (cmd.to == nil && p.peek() != 'r' || cmd.to != nil && cmd.to.kind != sedMatch) {
		return p.errorAt(p.at+1, "invalid usage of line address 0")
	}
	cmd.lines = sedRange{active: first && cmd.to != nil, end: -1}
	return nil
}

func (p *sedParser) secondAddress() (*sedAddress, error) {
	kind := sedAfter
	switch p.peek() {
	case '~':
		kind = sedUntil
	case '+':
	default:
		a, err := p.address()
		if a != nil && a.kind == sedStep && a.step <= 0 {
			a.kind = sedLine
		}
		return a, err
	}
	p.at++
	if !p.isDigit() {
		return nil, p.errorf("expected number")
	}
	n, err := p.number()
	return &sedAddress{kind: kind, number: n}, err
}

// address reads one address. Nil is none.
func (p *sedParser) address() (*sedAddress, error) {
	switch b := p.peek(); {
	case p.isDigit():
		return p.lineAddress()
	case b == '$':
		p.at++
		return &sedAddress{kind: sedLast}, nil
	case b == '/' || b == '\\':
		return p.regexAddress()
	default:
		return nil, nil
	}
}

func (p *sedParser) lineAddress() (*sedAddress, error) {
	n, err := p.number()
	if err != nil {
		return nil, err
	}
	p.skip(sedBlanks)
	if p.peek() != '~' {
		return &sedAddress{number: n}, nil
	}
	p.at++
	p.skip(sedBlanks)
	step := 0
	if p.isDigit() {
		if step, err = p.number(); err != nil {
			return nil, err
		}
	}
	if step == 0 {
		return &sedAddress{number: n}, nil
	}
	return &sedAddress{kind: sedStep, number: n, step: step}, nil
}

func (p *sedParser) regexAddress() (*sedAddress, error) {
	if p.peek() == '\\' {
		p.at++
		if p.end() || p.peek() == '\n' || p.peek() == '\\' {
			return nil, p.errorf("unexpected `,'")
		}
	}
	delimiter := p.peek()
	p.at++
	pattern, ok := p.delimited(delimiter, true)
	if !ok {
		return nil, p.errorf("unterminated address regex")
	}
	var fold, multi bool
	for ; ; p.at++ {
		switch p.peek() {
		case 'I':
			fold = true
			continue
		case 'M':
			multi = true
			continue
		}
		break
	}
	regex, err := p.regex(pattern, fold, multi)
	return &sedAddress{kind: sedMatch, regex: regex}, err
}

// delimited reads up to a delimiter, as it stands, except for what the delimiter
// itself and newlines need. In a pattern one in brackets isn't the end.
func (p *sedParser) delimited(delimiter byte, pattern bool) (string, bool) {
	var out []byte
	for !p.end() {
		b := p.text[p.at]
		if pattern && b == '[' && delimiter != '[' {
			if n := bracketLength(p.text[p.at:]); n > 0 {
				out = append(out, p.text[p.at:p.at+n]...)
				p.at += n
				continue
			}
		}
		p.at++
		switch b {
		case delimiter:
			return string(out), true
		case '\n':
			p.at--
			return "", false
		case '\\':
			if p.end() {
				return "", false
			}
			next := p.text[p.at]
			p.at++
			switch {
			case next == 'n' && pattern && delimiter != 'n':
				out = append(out, '\n')
			case next == delimiter && (pattern || next != '&'):
				out = append(out, next)
			default:
				out = append(out, '\\', next)
			}
		default:
			out = append(out, b)
		}
	}
	return "", false
}

// bracketLength is how long a bracket expression is, or 0.
func bracketLength(s string) int {
	i := 1
	if i < len(s) && s[i] == '^' {
		i++
	}
	if i < len(s) && s[i] == ']' {
		i++
	}
	for ; i < len(s) && s[i] != '\n'; i++ {
		switch {
		case s[i] == ']':
			return i + 1
		case s[i] == '[' && i+1 < len(s) && (s[i+1] == ':' || s[i+1] == '.' || s[i+1] == '='):
			kind := s[i+1]
			for i += 2; i+1 < len(s) && (s[i] != kind || s[i+1] != ']'); i++ {
			}
			i++
		}
	}
	return 0
}
