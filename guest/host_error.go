package guest

import (
	"strconv"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A HostError is the refusal of a function that the host offers, such as
// blob_write over the host's limit.
type HostError struct {
	Function string
	Status   abi.Status
}

// Error names the function and the reason.
func (e *HostError) Error() string {
	return "guest: " + e.Function + ": " + reasonOf(e.Status)
}

func reasonOf(s abi.Status) string {
	switch s {
	case abi.StatusBadPointer:
		return "bad pointer"
	case abi.StatusBadHandle:
		return "no such blob"
	case abi.StatusBadArgument:
		return "bad argument"
	case abi.StatusLimit:
		return "a limit of the host is reached"
	case abi.StatusBadMessage:
		return "bad message"
	case abi.StatusUnsupported:
		return "not supported by the host"
	default:
		return "status " + strconv.Itoa(int(s))
	}
}

// countOf splits the answer of a host function into a count and an error.
func countOf(function string, status int32) (int, error) {
	if status < 0 {
		return 0, &HostError{Function: function, Status: abi.Status(status)}
	}
	return int(status), nil
}
