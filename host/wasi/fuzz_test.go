package wasi

import (
	"encoding/binary"
	"testing"
)

// FuzzNoCallPanics calls functions one after the other on the same world: the
// memory is the input, and each entry of calls is the number of a function with
// its parameters.
func FuzzNoCallPanics(f *testing.F) {
	for i := range functions {
		for _, v := range []uint64{0, 1, 8, 0xffff, 0xffff_ffff, 1 << 63} {
			call := []byte{byte(i)}
			for range 9 {
				call = binary.LittleEndian.AppendUint64(call, v)
			}
			f.Add(call, []byte{1, 0, 0, 0, 8, 0, 0, 0, 0xff})
		}
	}
	const size = 1 + 9*8
	f.Fuzz(func(t *testing.T, calls, content []byte) {
		w := newWorld(t, Config{Stdin: content, Args: []string{"a", string(content)}, Env: []string{"K=v"}, MaxStdout: 64, MaxStderr: 64})
		copy(w.in.Bytes(), content)
		for range 50 {
			if len(calls) < size {
				break
			}
			name := functions[int(calls[0])%len(functions)].name
			stack := make([]uint64, max(len(all[name].Type.Params), 1))
			for i := range stack {
				stack[i] = binary.LittleEndian.Uint64(calls[1+8*i:])
			}
			if err := all[name].Call(t.Context(), w.in, stack); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if stack[0] > 76 {
				t.Errorf("%s: %d is no error number", name, stack[0])
			}
			calls = calls[size:]
		}
		if n := len(w.env.DrainStdout().Bytes); n > 64 {
			t.Errorf("%d bytes of stdout are kept", n)
		}
		if n := len(w.env.DrainStderr().Bytes); n > 64 {
			t.Errorf("%d bytes of stderr are kept", n)
		}
	})
}
