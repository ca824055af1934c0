package host

import "github.com/wasmsandbox/wasmsandbox/abi"

// A Method is an operation of a sandbox session that a script can answer.
type Method = abi.Method

// The nine scriptable methods (S1.3). The zero Method is none of them.
const (
	MethodApplyPatch    = abi.ApplyPatch
	MethodExec          = abi.Exec
	MethodLs            = abi.Ls
	MethodMkdir         = abi.Mkdir
	MethodPTYExecStart  = abi.PTYExecStart
	MethodPTYWriteStdin = abi.PTYWriteStdin
	MethodRead          = abi.Read
	MethodRm            = abi.Rm
	MethodWrite         = abi.Write
)

// ParseMethod finds a method by its name in scripts, such as "pty_exec_start".
func ParseMethod(name string) (Method, bool) { return abi.ParseMethod(name) }

// methodSet is a set of methods, one bit each.
type methodSet uint16

func (s methodSet) has(m Method) bool { return s&(1<<m) != 0 }

// with adds a method. Naming one half of the PTY pair adds both (S4.2).
func (s methodSet) with(m Method) methodSet {
	if m == MethodPTYExecStart || m == MethodPTYWriteStdin {
		return s | 1<<MethodPTYExecStart | 1<<MethodPTYWriteStdin
	}
	return s | 1<<m
}

// list gives the methods in the order of their names.
func (s methodSet) list() []Method {
	methods := []Method{}
	for _, m := range abi.Methods() {
		if s.has(m) {
			methods = append(methods, m)
		}
	}
	return methods
}
