package abi

// A Method is an operation of a sandbox session that a script can answer. Its
// number is the one of the request's field in a Call message.
type Method uint8

// The nine scriptable methods. The zero Method is none of them.
const (
	ApplyPatch    Method = 3
	Exec          Method = 4
	Ls            Method = 5
	Mkdir         Method = 6
	PTYExecStart  Method = 7
	PTYWriteStdin Method = 8
	Read          Method = 9
	Rm            Method = 10
	Write         Method = 11
)

const (
	firstMethod = ApplyPatch
	lastMethod  = Write
)

var methodNames = [...]string{
	ApplyPatch:    "apply_patch",
	Exec:          "exec",
	Ls:            "ls",
	Mkdir:         "mkdir",
	PTYExecStart:  "pty_exec_start",
	PTYWriteStdin: "pty_write_stdin",
	Read:          "read",
	Rm:            "rm",
	Write:         "write",
}

// Valid reports whether m is one of the nine methods.
func (m Method) Valid() bool { return m >= firstMethod && m <= lastMethod }

// String is the method's name in scripts and messages, such as
// "pty_exec_start", or "unknown".
func (m Method) String() string {
	if !m.Valid() {
		return "unknown"
	}
	return methodNames[m]
}

// Void reports whether the method has no result: write, rm and mkdir.
func (m Method) Void() bool { return m == Write || m == Rm || m == Mkdir }

// ParseMethod finds a method by its name.
func ParseMethod(name string) (Method, bool) {
	for m := firstMethod; m <= lastMethod; m++ {
		if methodNames[m] == name {
			return m, true
		}
	}
	return 0, false
}

// Methods lists the nine methods in the order of their names. The caller owns
// the slice.
func Methods() []Method {
	methods := make([]Method, 0, lastMethod-firstMethod+1)
	for m := firstMethod; m <= lastMethod; m++ {
		methods = append(methods, m)
	}
	return methods
}
