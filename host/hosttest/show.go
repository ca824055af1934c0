package hosttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// How much of one thing is shown, in characters.
const (
	maxText  = 200
	maxValue = 60
	maxCall  = 120
)

// showCall is a call on one line: the method, the positional arguments, and the
// named ones that aren't at their default.
func showCall(call host.Call) string {
	var b strings.Builder
	b.WriteString(call.Method().String())
	for _, arg := range showArgs(call) {
		b.WriteString(" " + arg)
	}
	kwargs := call.Kwargs()
	for _, name := range host.KwargNames(call.Method()) {
		switch v := kwargs[name]; {
		case v == nil, v == false && name != "shell", v == true && name == "shell", v == host.DefaultPatchFormat && name == "patch_format":
		default:
			b.WriteString(" " + name + "=" + showPlain(v))
		}
	}
	return cut(b.String(), maxCall)
}

func showArgs(call host.Call) []string {
	if data, ok := call.Data(); ok { // its plain form would copy all of it
		w, _ := call.Write()
		return []string{showPlain(w.Path), showStream(data)}
	}
	var shown []string
	for _, arg := range call.Args() {
		shown = append(shown, showPlain(arg))
	}
	return shown
}

// showPlain is a plain value as JSON, cut.
func showPlain(v any) string {
	if text, ok := v.(string); ok {
		return showString(text)
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return cut(strings.TrimSuffix(b.String(), "\n"), maxValue)
}

// showString quotes a string. One that is too long is cut, with its length.
func showString(text string) string {
	short := cut(text, maxValue)
	if short == text {
		return strconv.Quote(text)
	}
	return strconv.Quote(short) + " (" + count(len(text), "byte") + ")"
}

func showStream(s host.Stream) string {
	start, _ := io.ReadAll(io.LimitReader(s.At(0).Reader(), 4*maxValue))
	shown := count(int(s.Len()), "byte")
	if text := trimPartialRune(start); utf8.Valid(text) {
		short := cut(string(text), maxValue)
		if int64(len(short)) == s.Len() {
			shown = strconv.Quote(short)
		} else {
			shown = strconv.Quote(strings.TrimSuffix(short, "…")+"…") + " (" + shown + ")"
		}
	}
	if s.Position() != 0 {
		shown += " from " + strconv.FormatInt(s.Position(), 10)
	}
	return shown
}

// trimPartialRune drops the beginning of a character at the end of a cut text.
func trimPartialRune(text []byte) []byte {
	for i := 1; i <= min(utf8.UTFMax, len(text)); i++ {
		if tail := text[len(text)-i:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return text[:len(text)-i]
			}
			break
		}
	}
	return text
}

// showValue is one side of a difference. Most matchers have quoted it already.
func showValue(text string) string {
	if text == "" {
		return `""`
	}
	return cut(flat(text), maxValue)
}

// showError is an error on one line, with what its text leaves out.
func showError(err error) string {
	text := err.Error()
	if p, ok := errors.AsType[*host.PanicError](err); ok {
		text += fmt.Sprintf(": %v", p.Value)
	}
	return cut(flat(text), maxText)
}

func showLog(entry host.LogEntry) []string {
	prefix := entry.Module + " " + entry.Source.String()
	if entry.Source == host.SourceLog {
		prefix += " " + entry.Level.String()
	}
	var lines []string
	for line := range strings.Lines(entry.Text) {
		lines = append(lines, prefix+": "+cut(flat(strings.TrimRight(line, "\r\n")), maxText))
	}
	if entry.Dropped > 0 {
		lines = append(lines, prefix+": … "+count(entry.Dropped, "byte")+" more")
	}
	return lines
}

// where tells where a guest or a func broke, innermost first.
func where(err error) []string {
	const maxFrames = 6
	var frames []string
	if guest, ok := errors.AsType[*host.GuestError](err); ok {
		for line := range strings.Lines(guest.AuthorStack()) {
			if line = strings.TrimSpace(line); line != "" {
				frames = append(frames, "at "+cut(flat(line), maxText))
			}
		}
	}
	if p, ok := errors.AsType[*host.PanicError](err); ok {
		frames = goFrames(string(p.Stack))
	}
	return frames[:min(len(frames), maxFrames)]
}

// goFrames are the places of a Go stack below the panic, up to the session.
func goFrames(stack string) []string {
	var frames []string
	_, below, _ := strings.Cut(stack, "\npanic(")
	for line := range strings.Lines(below) {
		if strings.Contains(line, "wasmsandbox/host.run") { // what calls matchers and responders
			break
		}
		place, isPlace := strings.CutPrefix(line, "\t")
		if !isPlace || strings.HasPrefix(place, "runtime/") || strings.Contains(place, "/src/runtime/") ||
			strings.Contains(place, "/host/matcher.go:") || strings.Contains(place, "/host/responder.go:") {
			continue
		}
		place, _, _ = strings.Cut(place, " +0x")
		frames = append(frames, "at "+strings.TrimSpace(place))
	}
	return frames
}

// flat keeps a text on one line.
func flat(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		quoted := strconv.Quote(text)
		return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
	}
	return text
}

// cut shortens a text to so many characters.
func cut(text string, limit int) string {
	n := 0
	for i := range text {
		if n++; n > limit {
			return text[:i] + "…"
		}
	}
	return text
}
