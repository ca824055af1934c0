package builtin

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/internal/saturating"
)

// sleep lets time pass in the workspace.
func sleep(c *command, args []string) int {
	var total time.Duration
	if len(args) == 0 {
		return c.fail(1, "missing operand")
	}
	for _, arg := range args {
		d, ok := duration(arg)
		if !ok {
			return c.fail(1, "invalid time interval '%s'", arg)
		}
		total = time.Duration(saturating.Add(int64(total), int64(d)))
	}
	if c.Sleep == nil {
		c.Files.AdvanceTo(saturating.Add(c.Files.Now(), int64(total)))
		return 0
	}
	if err := c.out.Flush(); err != nil {
		c.fatal = err
	} else {
		c.fatal = c.Sleep(c, total)
	}
	return 0
}

// longest is the most nanoseconds that a time can be away: as many as can be added without
// more than the largest number being the result.
const longest = 1 << 62

// duration reads 1.5, 10s, 2m, 1h or 1d.
func duration(text string) (time.Duration, bool) {
	if text == "infinity" || text == "inf" {
		return 100 * 365 * 24 * time.Hour, true
	}
	unit := time.Second
	if n := len(text); n > 0 {
		if u, ok := map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour}[text[n-1]]; ok {
			unit, text = u, text[:n-1]
		}
	}
	n, err := strconv.ParseFloat(text, 64)
	if d := n * float64(unit); err == nil && d >= 0 && d <= longest {
		return time.Duration(d), true
	}
	return 0, false // NaN, too
}

// leastPatience is how long timeout waits at least by the real clock, so that what comes of a
// command doesn't depend on how fast the machine is.
const leastPatience = 10 * time.Second

var errTimeIsUp = errors.New("its time is up")

// timeout runs a command. No time of the workspace passes while it computes, so that one that
// computes for ever is ended by the real clock.
func timeout(c *command, args []string) int {
	options, rest, err := grammar{letters: "s:k:v", ordered: true, long: map[string]byte{"signal": 's', "kill-after": 'k', "verbose": 'v'}}.parse(args)
	if err != nil {
		return c.badUsage(125, err)
	}
	over, sent, tells := 124, "TERM", false
	for _, o := range options {
		switch o.letter {
		case 's':
			name, ok := signalName(o.value)
			if !ok {
				return c.fail(125, "'%s': invalid signal", o.value)
			}
			sent = name
		case 'k':
			if _, ok := duration(o.value); !ok {
				return c.fail(125, "invalid time interval '%s'", o.value)
			}
		case 'v':
			tells = true
		}
	}
	if sent == "KILL" {
		over = 128 + 9
	}
	if len(rest) < 2 {
		return c.fail(125, "missing operand")
	}
	limit, ok := duration(rest[0])
	if !ok {
		return c.fail(125, "invalid time interval '%s'", rest[0])
	}
	if limit == 0 {
		return c.run(rest[1:])
	}
	began, outer := c.Files.Now(), c.Context
	ctx, cancel := context.WithTimeoutCause(outer, max(limit, leastPatience), errTimeIsUp)
	defer cancel()
	c.Context = ctx
	code := c.run(rest[1:])
	c.Context = outer
	if c.fatal != nil && errors.Is(context.Cause(ctx), errTimeIsUp) {
		c.fatal = outer.Err()
	} else if c.Files.Now()-began <= int64(limit) {
		return code
	}
	if tells {
		c.say("sending signal %s to command '%s'", sent, rest[1])
	}
	return over
}

func date(c *command, args []string) int {
	options, names, err := grammar{letters: "ud:r:I\x01:R", long: map[string]byte{
		"utc": 'u', "date": 'd', "iso-8601": 1, "reference": 'r',
	}}.parse(isoDate(args))
	if err != nil {
		return c.badUsage(1, err)
	}
	now, format := c.Files.Now(), "%a %b %e %H:%M:%S UTC %Y"
	for _, o := range options {
		switch o.letter {
		case 'd':
			at, ok := parseTime(o.value, now)
			if !ok {
				return c.fail(1, "invalid date '%s'", o.value)
			}
			now = at
		case 'r':
			info, err := c.stat(o.value)
			if err != nil {
				return c.failed(1, "cannot access", o.value, err)
			}
			now = info.Modified
		case 'I', 1:
			format = map[string]string{"": "%Y-%m-%d", "date": "%Y-%m-%d", "seconds": "%Y-%m-%dT%H:%M:%S+00:00"}[o.value]
		case 'R':
			format = "%a, %d %b %Y %H:%M:%S +0000"
		}
	}
	for _, name := range names {
		if !strings.HasPrefix(name, "+") {
			return c.fail(1, "invalid date '%s'", name)
		}
		format = name[1:]
	}
	c.print(formatTime(format, time.Unix(0, now).UTC()), "\n")
	return 0
}

// isoDate gives --iso-8601 and -Iseconds the form of other options.
func isoDate(args []string) []string {
	out := make([]string, len(args))
	for i, arg := range args {
		switch {
		case arg == "--iso-8601":
			arg = "-I"
		case strings.HasPrefix(arg, "-I") && len(arg) > 2:
			arg = "--iso-8601=" + arg[2:]
		}
		out[i] = arg
	}
	return out
}

// Fields of dates, as layouts of package time.
var timeLayouts = map[byte]string{
	'a': "Mon", 'A': "Monday", 'b': "Jan", 'h': "Jan", 'B': "January", 'c': "Mon Jan _2 15:04:05 2006", 'd': "02",
	'D': "01/02/06", 'e': "_2", 'F': "2006-01-02", 'H': "15", 'I': "03", 'j': "002", 'm': "01", 'M': "04",
	'N': "000000000", 'p': "PM", 'R': "15:04", 'S': "05", 'T': "15:04:05", 'X': "15:04:05", 'y': "06", 'Y': "2006",
	'z': "+0000", 'Z': "UTC", 'x': "01/02/06", 'r': "03:04:05 PM",
}

func formatTime(format string, t time.Time) string {
	var out strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			out.WriteByte(format[i])
			continue
		}
		i++
		if format[i] == '-' && i+1 < len(format) { // without padding
			i++
			text := strings.TrimLeft(formatTime("%"+format[i:i+1], t), "0 ")
			if text == "" {
				text = "0"
			}
			out.WriteString(text)
			continue
		}
		out.WriteString(timeField(format[i], t))
	}
	return out.String()
}

func timeField(letter byte, t time.Time) string {
	switch letter {
	case '%':
		return "%"
	case 'n':
		return "\n"
	case 't':
		return "\t"
	case 's':
		return strconv.FormatInt(t.Unix(), 10)
	case 'u':
		return strconv.Itoa((int(t.Weekday())+6)%7 + 1)
	case 'w':
		return strconv.Itoa(int(t.Weekday()))
	case 'N':
		return t.Format(".000000000")[1:]
	case 'U', 'W': // weeks that begin with Sunday, or with Monday
		first := int(t.Weekday())
		if letter == 'W' {
			first = (first + 6) % 7
		}
		return fmt.Sprintf("%02d", (t.YearDay()+6-first)/7)
	case 'V', 'G', 'g':
		year, week := t.ISOWeek()
		return map[byte]string{'V': fmt.Sprintf("%02d", week), 'G': fmt.Sprintf("%04d", year), 'g': fmt.Sprintf("%02d", year%100)}[letter]
	case 'C':
		return fmt.Sprintf("%02d", t.Year()/100)
	case 'k':
		return fmt.Sprintf("%2d", t.Hour())
	case 'l':
		return fmt.Sprintf("%2d", (t.Hour()+11)%12+1)
	case 'q':
		return strconv.Itoa((int(t.Month())-1)/3 + 1)
	case 'P':
		return strings.ToLower(t.Format("PM"))
	}
	if layout, ok := timeLayouts[letter]; ok {
		return t.Format(layout)
	}
	return "%" + string(letter)
}

// parseTime reads a time: a date, @seconds, now, or one with an offset.
func parseTime(text string, now int64) (int64, bool) {
	text = strings.TrimSpace(text)
	switch text {
	case "", "now":
		return now, true
	case "yesterday":
		return sumOfTimes(now, -int64(24*time.Hour))
	case "tomorrow":
		return sumOfTimes(now, int64(24*time.Hour))
	}
	if seconds, ok := strings.CutPrefix(text, "@"); ok {
		n, err := strconv.ParseInt(seconds, 10, 34)
		return n * 1e9, err == nil
	}
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04:05 MST",
		"2006-01-02 15:04", "2006-01-02", "200601021504.05", "200601021504", "Jan 2 2006", "2 Jan 2006",
	} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UnixNano(), time.Unix(0, t.UnixNano()).Equal(t) // from 1678 to 2262
		}
	}
	return relativeTime(strings.Fields(text), now)
}

// sumOfTimes is a time after another one, if it can be told.
func sumOfTimes(now, after int64) (int64, bool) {
	sum := now + after
	return sum, (sum > now) == (after > 0)
}

// relativeTime reads "2 days ago", or "+1 hour".
func relativeTime(words []string, now int64) (int64, bool) {
	if len(words) < 2 || len(words) > 3 || len(words) == 3 && words[2] != "ago" {
		return 0, false
	}
	n, err := strconv.Atoi(words[0])
	unit, ok := map[string]time.Duration{
		"sec": time.Second, "second": time.Second, "min": time.Minute, "minute": time.Minute,
		"hour": time.Hour, "day": 24 * time.Hour, "week": 7 * 24 * time.Hour,
	}[strings.TrimSuffix(words[1], "s")]
	if err != nil || !ok || math.Abs(float64(n)*float64(unit)) > longest {
		return 0, false
	}
	away := int64(n) * int64(unit)
	if len(words) == 3 {
		away = -away
	}
	return sumOfTimes(now, away)
}
