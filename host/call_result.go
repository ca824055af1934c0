package host

// A callResult is what a call comes to. The result of exec, which most calls are, has
// a place of its own: as an interface it would need memory for each call.
type callResult struct {
	exec  ExecResult
	other any // of the other methods; nil for the void ones
}

// set makes it a result in the form of coerceResult.
func (r *callResult) set(value any) {
	if exec, ok := value.(ExecResult); ok {
		r.exec = exec
	} else {
		r.other = value
	}
}

// value is the result of a call of the method.
func (r *callResult) value(method Method) any {
	if method == MethodExec {
		return r.exec
	}
	return r.other
}
