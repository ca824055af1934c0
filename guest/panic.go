package guest

import (
	"runtime"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// maxStack bounds the stack in a report, in bytes.
const maxStack = 32 << 10

// rescue ends each export. It answers for a setting of the wrong type, and reports
// any other panic to the host before it goes on.
func (m *module) rescue(reply *[]byte) {
	switch v := recover().(type) {
	case nil:
	case *settingError:
		*reply = m.refuse(abi.GuestBadConfig, v.Error())
	default:
		report(panicText(v))
		panic(v)
	}
}

// report tells the host that the guest is about to die.
func report(message string) {
	stack := make([]byte, maxStack)
	stack = stack[:runtime.Stack(stack, false)]
	file, line := panicPlace()
	p := abi.Panic{Message: message, File: file, Line: line, Stack: string(stack)}
	hostFail(p.Append(nil))
}

// panicPlace finds the line that panicked: the first frame below the start of the
// panic that is neither the runtime's nor this package's.
func panicPlace() (file string, line uint32) {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	panicking := false
	for {
		frame, more := frames.Next()
		switch {
		case frame.Function == "runtime.gopanic":
			panicking = true
		case panicking && !internal(frame.Function):
			return frame.File, uint32(frame.Line)
		}
		if !more {
			return "", 0
		}
	}
}

func internal(function string) bool {
	return strings.HasPrefix(function, "runtime.") ||
		strings.HasPrefix(function, "github.com/wasmsandbox/wasmsandbox/guest.")
}

// panicText is the value of a panic as text.
func panicText(value any) string {
	switch v := value.(type) {
	case error:
		return v.Error()
	case interface{ String() string }:
		return v.String()
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case int8:
		return strconv.Itoa(int(v))
	case int16:
		return strconv.Itoa(int(v))
	case int32:
		return strconv.Itoa(int(v))
	case int64:
		return strconv.FormatInt(v, 10)
	case uint, uint8, uint16, uint32, uint64, uintptr:
		return strconv.FormatUint(unsigned(v), 10)
	default:
		return "a panic with a value of another type"
	}
}

func unsigned(value any) uint64 {
	switch v := value.(type) {
	case uint:
		return uint64(v)
	case uint8:
		return uint64(v)
	case uint16:
		return uint64(v)
	case uint32:
		return uint64(v)
	case uint64:
		return v
	case uintptr:
		return uint64(v)
	default:
		return 0
	}
}
