package builtin

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	// maxAwkString is how long a string may become, in bytes.
	maxAwkString = 8 << 20
	// maxAwkHeld is how much one statement may print to a file.
	maxAwkHeld = 64 << 20
	// maxAwkSplit is how long a string may be that is split.
	maxAwkSplit = 4 << 20
	// maxAwkElements is how many elements an array may have.
	maxAwkElements = 2_000_000
	// maxAwkArguments is how many arguments sprintf and printf may have.
	maxAwkArguments = 64

	errAwkString = complaint("the string is too long")
	errAwkArray  = complaint("the array is too large")
)

// functions are those that rewritten programs call, with the prefix, and some of
// gawk's.
func (r *awkRun) functions() map[string]any {
	now := func() int64 { return r.c.Files.Now() / int64(time.Second) }
	functions := map[string]any{
		"systime":  now,
		"strftime": func(args ...string) string { return awkTime(args, now()) },
		"gensub":   r.gensub,
		"strtonum": awkNumber,
		"and":      func(a, b float64) float64 { return float64(uint64(a) & uint64(b)) },
		"or":       func(a, b float64) float64 { return float64(uint64(a) | uint64(b)) },
		"xor":      func(a, b float64) float64 { return float64(uint64(a) ^ uint64(b)) },
		"lshift":   func(a, b float64) float64 { return float64(uint64(a) << min(uint64(b), 64)) },
		"rshift":   func(a, b float64) float64 { return float64(uint64(a) >> min(uint64(b), 64)) },
	}
	for name, function := range map[string]any{
		"now":     now,
		"skip":    r.in.skip,
		"hold":    r.out.hold,
		"forget":  r.out.forget,
		"release": r.files.print,
		"close":   r.files.close,
		"flush":   func(...string) int { return 0 },
		"read":    r.files.read,
		"line":    func() string { return r.files.line },
		"status":  func() int { return r.files.status },
		"system":  r.system,
		"cat":     r.concatenate,
		"grow":    awkGrow,
		"fit":     r.fit,
		"short":   awkShort,
		"divider": awkDivider,
		"live":    r.live,
		"format":  awkFormat,
		"width":   awkWidth,
		"full":    func() (int, error) { return 0, errAwkArray },
		"begun":   func() bool { return r.in.begun },
		"file":    r.addFile,
		"keep":    r.matching.keep,
		"re":      r.matching.re,
		"each":    r.matching.each,
		"keepre":  r.matching.keepRE,
		"growre":  r.matching.growRE,
		"keys":    r.loops.begin,
		"put":     r.loops.put,
		"sort":    r.loops.sort,
		"more":    r.loops.more,
		"key":     r.loops.key,
		"drop":    r.loops.drop,
		"escape":  awkEscape,
	} {
		functions[r.prefix+name] = function
	}
	return functions
}

// addFile adds a file to the input. Without a name it drops those that there are.
func (r *awkRun) addFile(name string) int {
	switch {
	case name == "":
		r.in.files = nil
	case awkAssignment.MatchString(name):
		return 0
	default:
		r.in.files = append(r.in.files, name)
	}
	return 1
}

// live hands on a value, unless the context has ended: the library looks at it after
// every thousand operations only, and those on long strings take a while.
func (r *awkRun) live(value string) (string, error) { return value, r.c.Err() }

// concatenate puts strings together.
func (r *awkRun) concatenate(parts ...string) (string, error) {
	if err := r.c.Err(); err != nil {
		return "", err
	}
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	if size > maxAwkString {
		return "", errAwkString
	}
	return strings.Join(parts, ""), nil
}

// awkGrow is for a replacement in a text of that length.
func awkGrow(with string, length float64) (string, error) {
	ands := float64(strings.Count(with, "&"))
	if (length+1)*float64(len(with))+ands*length > 8*maxAwkString {
		return "", errAwkString
	}
	return with, nil
}

// fit is for what is going to be split.
func (r *awkRun) fit(text string) (string, error) {
	if err := r.c.Err(); err != nil {
		return "", err
	}
	if len(text) > maxAwkSplit {
		return "", errAwkString
	}
	return text, nil
}

// awkShort is for what is going to be put between fields.
func awkShort(text string) (string, error) {
	if len(text) > maxAwkSeparator {
		return "", errAwkSeparator
	}
	return text, nil
}

// awkDivider is for what records or fields are divided by.
func awkDivider(text string) (string, error) {
	if len(text) <= 1 {
		return text, nil
	}
	switch cost := costOf(text); {
	case cost.size > maxAwkDivider:
		return "", complaint("the separator is too large")
	case cost.again:
		return "", complaint("the separator has to be looked for again and again")
	}
	return text, nil
}

// awkTime is strftime: a format, and a time.
func awkTime(args []string, now int64) string {
	format := "%a %b %e %H:%M:%S UTC %Y"
	if len(args) > 0 {
		format = args[0]
	}
	if len(args) > 1 {
		if n, err := strconv.ParseFloat(args[1], 64); err == nil && math.Abs(n) < 1<<40 {
			now = int64(n)
		}
	}
	return formatTime(format, time.Unix(now, 0).UTC())
}

// awkNumber is strtonum: decimal, octal or hexadecimal.
func awkNumber(text string) float64 {
	text = strings.TrimSpace(text)
	if n, err := strconv.ParseInt(text, 0, 64); err == nil && strings.HasPrefix(text, "0") {
		return float64(n)
	}
	for end := min(len(text), 64); end > 0; end-- {
		if n, err := strconv.ParseFloat(text[:end], 64); err == nil {
			return n
		}
	}
	return 0
}

// gensub is gensub: the number-th match is replaced, or all for "g".
func (r *awkRun) gensub(pattern, with, which, text string) (string, error) {
	regex, err := regexp.Compile(pattern)
	if err != nil {
		return "", err
	}
	if len(text) > maxAwkSplit || len(with) > maxAwkSplit {
		return "", errAwkString
	}
	if err := checkMatch(pattern, len(text)); err != nil {
		return "", err
	}
	finder, err := newMatchFinder(regex, false)
	if err != nil {
		return "", err
	}
	number, err := strconv.Atoi(which)
	all := err != nil && (strings.HasPrefix(which, "g") || strings.HasPrefix(which, "G"))
	var out strings.Builder
	count, at := 0, 0
	eachMatch(finder, text, func(match []int) bool {
		if count++; !all && count < number {
			return r.c.Err() == nil
		}
		out.WriteString(text[at:match[0]])
		awkReplacement(&out, with, text, match)
		at = match[1]
		return all && out.Len() <= maxAwkString && r.c.Err() == nil
	})
	switch {
	case r.c.Err() != nil:
		return "", r.c.Err()
	case out.Len() > maxAwkString:
		return "", errAwkString
	}
	out.WriteString(text[at:])
	return out.String(), nil
}

// awkReplacement writes a replacement of gensub.
func awkReplacement(out *strings.Builder, with, text string, match []int) {
	for i := 0; i < len(with); i++ {
		group := -1
		switch {
		case with[i] == '&':
			group = 0
		case with[i] == '\\' && i+1 < len(with):
			if i++; with[i] >= '0' && with[i] <= '9' {
				group = int(with[i] - '0')
			}
		}
		switch {
		case group < 0:
			out.WriteByte(with[i])
		case 2*group+1 < len(match) && match[2*group] >= 0:
			out.WriteString(text[match[2*group]:match[2*group+1]])
		}
	}
}
