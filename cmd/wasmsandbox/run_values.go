package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
)

const (
	longestCall    = 44 // characters of a call
	longestOutcome = 72 // of a result or message
)

// callText is a call as a person would write it, without defaults.
func callText(c *callReport) string {
	words := []string{c.Method}
	method, _ := host.ParseMethod(c.Method)
	if method == host.MethodApplyPatch {
		words = append(words, patchWords(c.Args)...)
	} else {
		for _, arg := range c.Args {
			words = append(words, word(arg))
		}
	}
	for _, key := range host.KwargNames(method) {
		if value, ok := c.Kwargs[key]; ok && !isDefault(key, value) {
			words = append(words, key+"="+word(value))
		}
	}
	return cut(strings.Join(words, " "), longestCall)
}

// patchWords shows the operations of a patch without their diffs.
func patchWords(args []any) []string {
	var words []string
	for _, arg := range args {
		operations, _ := arg.([]any)
		for _, operation := range operations {
			op, _ := operation.(map[string]any)
			words = append(words, word(op["type"]), word(op["path"]))
		}
	}
	return words
}

// isDefault reports whether a named argument is as if it weren't given.
func isDefault(key string, value any) bool {
	switch value {
	case nil:
		return true
	case true:
		return key == "shell"
	case false:
		return key != "shell"
	case host.DefaultPatchFormat:
		return key == "patch_format"
	default:
		return false
	}
}

// word is a value as an argument: text without quotes when that is clear.
func word(value any) string {
	text, ok := value.(string)
	if !ok {
		return compact(value)
	}
	plain := text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r == ' ' || r == '"' || r == '\'' || r == utf8.RuneError || !unicode.IsPrint(r)
	})
	if plain {
		return text
	}
	return quote(text)
}

// quote is a text in quotes, in one line.
func quote(text string) string { return strconv.Quote(text) }

// compact is a value as JSON in one line.
func compact(value any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return visible(fmt.Sprint(value))
	}
	return visible(strings.TrimSuffix(b.String(), "\n"))
}

// resultText is a plain result in one line.
func resultText(result any) string {
	switch r := result.(type) {
	case nil:
		return "done"
	case string:
		return cut(quote(r), longestOutcome)
	case []any:
		return listingText(r)
	case map[string]any:
		return cut(fieldsText(r), longestOutcome)
	default:
		return cut(compact(r), longestOutcome)
	}
}

// fieldsText shows the result of exec and the PTY methods: what was printed, and
// how it ended unless that was well.
func fieldsText(r map[string]any) string {
	var words []string
	for _, key := range []string{"stdout", "output"} {
		if text := r[key]; text != nil && text != "" {
			words = append(words, printed(text))
		}
	}
	if text := r["stderr"]; text != nil && text != "" {
		words = append(words, "stderr "+printed(text))
	}
	if id := r["process_id"]; id != nil {
		words = append(words, fmt.Sprintf("process %v", id))
	}
	if code, ok := r["exit_code"].(int64); ok && (code != 0 || len(words) == 0) {
		words = append([]string{fmt.Sprintf("exit %d", code)}, words...)
	}
	if len(words) == 0 {
		return compact(r)
	}
	return strings.Join(words, " ")
}

func printed(text any) string {
	if s, ok := text.(string); ok {
		return quote(s)
	}
	return compact(text)
}

// listingText shows the result of ls.
func listingText(entries []any) string {
	words := []string{"no files"}
	if len(entries) > 0 {
		words[0] = count(len(entries), "file") + ":"
	}
	for _, entry := range entries {
		e, _ := entry.(map[string]any)
		name := word(e["path"])
		if e["kind"] == abi.FileKindDirectory.String() {
			name += "/"
		}
		words = append(words, name)
	}
	return cut(strings.Join(words, " "), longestOutcome)
}

// short is the first line of a message.
func short(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return cut(visible(line), longestOutcome)
}

// whole is short, but for a message whose first line leads to the others, as that of a
// patch does to the lines that aren't in the file.
func whole(text string) string {
	line, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if !strings.HasSuffix(line, ":") || rest == "" {
		return short(text)
	}
	return cut(visible(line)+" "+quote(rest), longestOutcome)
}

// cut ends a text that is too long.
func cut(text string, longest int) string {
	runes := []rune(text)
	if len(runes) <= longest {
		return text
	}
	return string(runes[:longest-1]) + "…"
}

// visible is a text in one line: it shows control characters but tabs, and bytes
// that aren't UTF-8, so that what a guest or script says can neither steer the
// terminal nor pass for lines of this command.
func visible(text string) string { return strings.ReplaceAll(visibleLines(text), "\n", `\n`) }

// visibleLines is visible for a text of several lines. Who prints it has to put
// something before each of them.
func visibleLines(text string) string {
	hidden := func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsGraphic(r) }
	if utf8.ValidString(text) && !strings.ContainsFunc(text, hidden) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case hidden(r):
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// indented is a text of several lines, the ones after the first below it.
func indented(text string) string {
	return strings.ReplaceAll(visibleLines(text), "\n", "\n    ")
}

// orNothing is the text after a prefix, or nothing.
func orNothing(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
