package host_test

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// A forger changes the parts of a file so that each is still what it looks like: JSON
// stays JSON, digests are right, and members are those of a tar.
type forger struct{ *rand.Rand }

// forge makes a number of changes.
func (f forger) forge(parts []part, changes int) []part {
	for range changes {
		i := f.IntN(len(parts))
		p := &parts[i]
		switch {
		case f.IntN(12) == 0:
			parts = f.rearrange(parts)
		case strings.HasSuffix(p.Name, ".json"), strings.HasSuffix(p.Name, ".jsonl"):
			p.data = f.lines(p.data)
		case strings.HasSuffix(p.Name, "/memory"):
			p.data = f.memory([]byte(p.data))
		case strings.HasSuffix(p.Name, "/world"):
			p.data = string(f.bytes([]byte(p.data)))
		default:
			f.member(p)
		}
	}
	return parts
}

// rearrange takes a member away, or makes it twice, or changes its place.
func (f forger) rearrange(parts []part) []part {
	i, j := f.IntN(len(parts)), f.IntN(len(parts))
	switch f.IntN(3) {
	case 0:
		if len(parts) > 1 {
			return slices.Delete(parts, i, i+1)
		}
	case 1:
		return slices.Insert(parts, j, parts[i])
	}
	parts[i], parts[j] = parts[j], parts[i]
	return parts
}

// lines changes a value in one of the lines of JSON.
func (f forger) lines(text string) string {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var documents []any
	for {
		var value any
		if decoder.Decode(&value) != nil {
			break
		}
		documents = append(documents, value)
	}
	if len(documents) == 0 {
		return text
	}
	i := f.IntN(len(documents))
	documents[i] = f.value(documents[i])
	var b strings.Builder
	for _, d := range documents {
		line, _ := json.Marshal(d)
		b.Write(append(line, '\n'))
	}
	return b.String()
}

// value changes something in a value, or makes it another one.
func (f forger) value(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 && f.IntN(8) > 0 {
			keys := slices.Sorted(maps.Keys(v))
			key := keys[f.IntN(len(keys))]
			if f.IntN(10) == 0 {
				delete(v, key)
			} else {
				v[key] = f.value(v[key])
			}
			return v
		}
	case []any:
		if len(v) > 0 && f.IntN(8) > 0 {
			i := f.IntN(len(v))
			switch f.IntN(6) {
			case 0:
				return slices.Delete(v, i, i+1)
			case 1:
				return append(v, v[i])
			}
			v[i] = f.value(v[i])
			return v
		}
	case json.Number:
		numbers := []json.Number{"0", "1", "2", "3", "-1", "1000", "2147483647", "2147483648", "4294967296", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "1e300", "0.5"}
		if f.IntN(4) > 0 {
			return numbers[f.IntN(len(numbers))]
		}
	case string:
		if f.IntN(3) > 0 && v != "" {
			return string(f.bytes([]byte(v)))
		}
	}
	others := []any{nil, true, json.Number("7"), "", "x", strings.Repeat("y", 5000), []any{}, map[string]any{}, []any{nil}, map[string]any{"kind": "other"}}
	return others[f.IntN(len(others))]
}

// bytes changes some bytes, or how many there are.
func (f forger) bytes(b []byte) []byte {
	if len(b) == 0 {
		return []byte{byte(f.Uint32())}
	}
	i := f.IntN(len(b))
	switch f.IntN(5) {
	case 0:
		return slices.Delete(b, i, min(len(b), i+1+f.IntN(9)))
	case 1:
		return slices.Insert(b, i, bytes.Repeat([]byte{byte(f.Uint32())}, 1+f.IntN(9))...)
	case 2:
		b[i] = []byte{0, 1, 0x7f, 0x80, 0xff}[f.IntN(5)]
	default:
		b[i] ^= 1 << f.IntN(8)
	}
	return b
}

// memory changes what comes before the content, where most is, and makes the digest right.
func (f forger) memory(b []byte) string {
	b = b[:len(b)-min(len(b), sha256.Size)]
	head := min(len(b), memoryGlobals+60)
	b = append(f.bytes(bytes.Clone(b[:head])), b[head:]...)
	sum := sha256.Sum256(b)
	return string(b) + string(sum[:])
}

// member changes a file of the workspace.
func (f forger) member(p *part) {
	names := []string{"files/", "files/workspace/", "files/workspace/d/", "files/workspace/link/x", "files/../x", "files//x", "files/workspace/" + strings.Repeat("n", 300), "files"}
	switch f.IntN(8) {
	case 0:
		p.Name = names[f.IntN(len(names))]
	case 1:
		p.Linkname = names[f.IntN(len(names))]
	case 2:
		p.Typeflag = []byte{tar.TypeReg, tar.TypeDir, tar.TypeSymlink, tar.TypeLink, tar.TypeChar, tar.TypeFifo}[f.IntN(6)]
		if p.Typeflag != tar.TypeReg {
			p.data = ""
		}
	case 3:
		p.Mode = int64(f.Uint32() & 0o17777)
	case 4:
		p.PAXRecords["WASMSANDBOX.inode"] = []string{"", "0", "1", "2", "3", "4", "99999", "18446744073709551615", "-1", "x"}[f.IntN(10)]
	case 5:
		p.ModTime = time.Unix(f.Int64()>>f.IntN(60), int64(f.IntN(1e9)))
	case 6:
		p.Uname = []string{"", "ada", strings.Repeat("u", 400)}[f.IntN(3)]
	default:
		if p.Typeflag == tar.TypeReg {
			p.data = strings.Repeat("x", f.IntN(5000))
		}
	}
}

// FuzzForgedCheckpoint has the forger change a file. Whatever it says, it is refused with
// a *CheckpointError or is a checkpoint, whose sessions can be used.
func FuzzForgedCheckpoint(f *testing.F) {
	file, steps, opts := keptFile(f)
	for seed := range uint64(300) {
		f.Add(seed, uint8(1+seed%4))
	}
	f.Fuzz(func(t *testing.T, seed uint64, changes uint8) {
		parts := forger{rand.New(rand.NewPCG(seed, 1))}.forge(unpack(t, file), int(changes%8))
		data, err := packed(parts)
		if err != nil { // no tar has such members
			return
		}
		c, err := host.ReadCheckpoint(t.Context(), bytes.NewReader(data), steps, opts...)
		if err != nil {
			if !isCheckpointError(err) {
				t.Errorf("%T: %v", err, err)
			}
			return
		}
		again := written(t, c)
		if !bytes.Equal(written(t, readBack(t, again, steps, opts...)), again) {
			t.Error("what was read is written in two ways")
		}
		s, err := c.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}})
			if errors.As(err, new(*metered.StateError)) || errors.Is(err, wasi.ErrOtherEnv) {
				t.Errorf("it is found out late: %v", err)
			}
			_ = s.Write(t.Context(), host.WriteRequest{Path: "new", Data: strings.NewReader("x")})
			_, _ = s.PTYExecStart(t.Context(), host.PTYExecStartRequest{Command: []string{"ls", "-la"}})
		}
		_, _ = s.History(), s.GuestDigests()
		if err := s.Close(context.Background()); err != nil && !errors.As(err, new(*host.GuestError)) {
			t.Error(err)
		}
	})
}
