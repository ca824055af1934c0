package builtin

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

func seq(c *command, args []string) int {
	options, words, err := numericGrammar(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	separator, format, wide := "\n", "", false
	for _, o := range options {
		switch o.letter {
		case 's':
			separator = o.value
		case 'f':
			format = o.value
		case 'w':
			wide = true
		}
	}
	if len(words) == 0 || len(words) > 3 {
		return c.fail(1, "missing operand")
	}
	first, step, decimals := 1.0, 1.0, 0
	numbers := make([]float64, len(words))
	for i, word := range words {
		if numbers[i], err = strconv.ParseFloat(word, 64); err != nil || math.IsNaN(numbers[i]) {
			return c.fail(1, "invalid floating point argument: '%s'", word)
		}
		if _, after, ok := strings.Cut(word, "."); ok && i < max(len(words)-1, 1) {
			decimals = max(decimals, len(after))
		}
	}
	last := numbers[len(numbers)-1]
	if len(numbers) > 1 {
		first = numbers[0]
	}
	if len(numbers) == 3 {
		step = numbers[1]
	}
	if step == 0 {
		return c.fail(1, "invalid Zero increment value: '%s'", words[1])
	}
	if format == "" {
		format = fmt.Sprintf("%%.%df", decimals)
		if wide {
			width := max(len(fmt.Sprintf(format, first)), len(fmt.Sprintf(format, last)))
			format = fmt.Sprintf("%%0%d.%df", width, decimals)
		}
	} else if err := checkFormat(format); err != nil {
		return c.badUsage(1, err)
	}
	return c.sequence(first, step, last, format, separator)
}

// maxWidth is how wide and how precise package fmt prints a number.
const maxWidth = 1_000_000

// checkFormat refuses a format that isn't for one number.
func checkFormat(format string) error {
	_, directive, _ := strings.Cut(strings.ReplaceAll(format, "%%", ""), "%")
	directive = strings.TrimLeft(directive, "-+ #0")
	width, rest := leadingDigits(directive)
	precision := ""
	if after, ok := strings.CutPrefix(rest, "."); ok {
		precision, rest = leadingDigits(after)
	}
	switch {
	case strings.Contains(rest, "%"):
		return complaint("format '" + format + "' has too many % directives")
	case rest == "":
		return complaint("format '" + format + "' has no % directive")
	case strings.IndexByte("eEfFgG", rest[0]) < 0:
		return complaint("format '" + format + "' has unknown %" + rest[:1] + " directive")
	case tooWide(width), tooWide(precision):
		return complaint("format '" + format + "' is too wide")
	}
	return nil
}

func leadingDigits(text string) (number, rest string) {
	n := digits(text)
	return text[:n], text[n:]
}

func tooWide(number string) bool {
	n, err := strconv.Atoi(number)
	return number != "" && (err != nil || n > maxWidth)
}

func (c *command) sequence(first, step, last float64, format, separator string) int {
	printed := false
	for i := 0; ; i++ {
		n := first + float64(i)*step
		if step > 0 && n > last+1e-9*math.Abs(step) || step < 0 && n < last-1e-9*math.Abs(step) || c.stop() {
			break
		}
		if printed {
			c.print(separator)
		}
		printed = true
		c.print(fmt.Sprintf(format, n))
	}
	if printed {
		c.print("\n")
	}
	return 0
}

// numericGrammar is that of seq, in which negative numbers are no options.
func numericGrammar(args []string) ([]option, []string, error) {
	for i, arg := range args {
		if len(arg) > 1 && arg[0] == '-' && (arg[1] == '.' || arg[1] >= '0' && arg[1] <= '9') {
			options, words, err := grammar{letters: "s:f:w"}.parse(args[:i])
			return options, append(words, args[i:]...), err
		}
	}
	return grammar{letters: "s:f:w", long: map[string]byte{"separator": 's', "format": 'f', "equal-width": 'w'}}.parse(args)
}

func yes(c *command, args []string) int {
	line := "y\n"
	if len(args) > 0 {
		line = strings.Join(args, " ") + "\n"
	}
	for !c.stop() {
		c.print(line)
	}
	return 1
}
