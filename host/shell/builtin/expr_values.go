package builtin

import (
	"errors"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

const errNotInteger = complaint("non-integer argument")

// call computes one of exprFunctions.
func (e *expression) call(name string, operands []string) (string, error) {
	text := operands[0]
	switch name {
	case "length":
		return strconv.Itoa(len(text)), nil
	case "index":
		return strconv.Itoa(indexAnyByte(text, operands[1]) + 1), nil
	case "substr":
		from, count := exprSize(operands[1]), exprSize(operands[2])
		if from == 0 || from > len(text) {
			return "", nil
		}
		text = text[from-1:]
		return text[:min(count, len(text))], nil
	default:
		return e.match(text, operands[1])
	}
}

// indexAnyByte is where the first byte is that is one of some, or -1.
func indexAnyByte(text, some string) int {
	var wanted [256]bool
	for i := range len(some) {
		wanted[some[i]] = true
	}
	for i := range len(text) {
		if wanted[text[i]] {
			return i
		}
	}
	return -1
}

// exprSize is a place in a text or a length; what is none is 0.
func exprSize(number string) int {
	if !isInteger(number) {
		return 0
	}
	n, _ := strconv.Atoi(number) // the largest, if it is larger
	return max(n, 0)
}

// apply computes what an operator makes of two values.
func (e *expression) apply(operator, left, right string) (string, error) {
	switch binds := exprOperators[operator]; {
	case operator == "|" && !isNull(left):
		return left, nil
	case operator == "|" && !isNull(right):
		return right, nil
	case operator == "&" && !isNull(left) && !isNull(right):
		return left, nil
	case operator == "|", operator == "&":
		return "0", nil
	case operator == ":":
		return e.match(left, right)
	case binds == exprOperators["="]:
		return compareOperands(operator, left, right)
	default:
		return calculate(operator, left, right)
	}
}

// compareOperands gives 1 or 0. Texts are compared as numbers if both are integers.
func compareOperands(operator, left, right string) (string, error) {
	order := strings.Compare(left, right)
	if isInteger(left) && isInteger(right) {
		a, b, err := integers(left, right)
		if err != nil {
			return "", err
		}
		order = a.Cmp(b)
	}
	holds := map[string]bool{
		"<": order < 0, "<=": order <= 0, "=": order == 0, "==": order == 0, "!=": order != 0, ">=": order >= 0, ">": order > 0,
	}
	if holds[operator] {
		return "1", nil
	}
	return "0", nil
}

// calculate does arithmetic.
func calculate(operator, left, right string) (string, error) {
	a, b, err := integers(left, right)
	switch {
	case err != nil:
		return "", err
	case operator == "+":
		a.Add(a, b)
	case operator == "-":
		a.Sub(a, b)
	case operator == "*":
		a.Mul(a, b)
	case b.Sign() == 0:
		return "", errors.New("division by zero")
	case operator == "/":
		a.Quo(a, b)
	default:
		a.Rem(a, b)
	}
	return a.String(), nil
}

// integers are the numbers that two texts are.
func integers(left, right string) (a, b *big.Int, err error) {
	if !isInteger(left) || !isInteger(right) {
		return nil, nil, errNotInteger
	}
	if len(left) > maxDigits || len(right) > maxDigits {
		return nil, nil, errDigits
	}
	a, _ = new(big.Int).SetString(left, 10)
	b, _ = new(big.Int).SetString(right, 10)
	return a, b, nil
}

func isInteger(text string) bool {
	number := strings.TrimPrefix(text, "-")
	return number != "" && digits(number) == len(number)
}

// isNull reports whether a value is false: it is empty or zero.
func isNull(value string) bool {
	return value == "" || isInteger(value) && strings.Trim(value, "-0") == ""
}

// match compares a text from its begin with a basic regular expression. It gives the length
// of the match, or the text of the first group if there is one.
func (e *expression) match(text, pattern string) (string, error) {
	if len(pattern) > maxGrepPattern {
		return "", complaint("Regular expression too big")
	}
	translated, err := translate(sedIntervals(pattern, false), false)
	if err != nil {
		return "", err
	}
	compiled, err := regexp.Compile(`(?s)\A(?:` + translated + `)`)
	if err != nil {
		return "", complaint(regexText(err))
	}
	match, err := bounded(compiled, true).first(e.c, []byte(text))
	switch {
	case err != nil:
		return "", err
	case compiled.NumSubexp() == 0 && match == nil:
		return "0", nil
	case compiled.NumSubexp() == 0:
		return strconv.Itoa(match[1]), nil
	case match == nil || match[2] < 0:
		return "", nil
	default:
		return text[match[2]:match[3]], nil
	}
}
