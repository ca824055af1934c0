package terminal_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/wasmsandbox/wasmsandbox/host/terminal"
)

// FuzzTerminal types anything in pieces for a process that reads all: no piece
// makes a call fail, and the same pieces give the same updates.
func FuzzTerminal(f *testing.F) {
	f.Add([]byte("a\nb\x04\x04"), uint8(2))
	f.Add([]byte("é\x7f\x7f\r\n\x1b[A\xf0\x9f\x03x"), uint8(3))
	f.Fuzz(func(t *testing.T, chars []byte, size uint8) {
		session := func() string {
			u := newUser(t, terminal.Config{OutputLimit: 100, WriteLimit: 500, InputLimit: 1000})
			id := u.live(cat, terminal.StartOptions{TTY: true})
			var log bytes.Buffer
			for rest := chars; len(rest) > 0; {
				piece := rest[:min(len(rest), int(size)+1)]
				rest = rest[len(piece):]
				update, err := u.table.Write(t.Context(), id, string(piece), terminal.WriteOptions{})
				fmt.Fprintln(&log, show(update), err)
				if err != nil || update.ExitCode != nil {
					break
				}
				if len(update.Output) > 150 {
					t.Errorf("%d bytes are kept", len(update.Output))
				}
			}
			_ = u.table.Close(t.Context())
			return log.String()
		}
		if one, two := session(), session(); one != two {
			t.Errorf("the updates were\n%s\nand then\n%s", one, two)
		}
	})
}

// FuzzOutput prints anything in pieces with time between them: all updates together
// are what was printed, and none cuts a character.
func FuzzOutput(f *testing.F) {
	f.Add([]byte("a€😀\xff\xe2"), uint8(1))
	f.Add([]byte("é\xf0\x9f\x98"), uint8(0))
	f.Fuzz(func(t *testing.T, output []byte, size uint8) {
		u := newUser(t, terminal.Config{})
		program := func(_ context.Context, stdio terminal.Stdio) (int, error) {
			for rest := output; len(rest) > 0; {
				n, _ := stdio.Stdout.Write(rest[:min(len(rest), int(size)+1)])
				rest = rest[n:]
				if err := stdio.Sleep(time.Minute); err != nil {
					return 0, err
				}
			}
			return 0, nil
		}
		update := u.start(program, terminal.StartOptions{})
		all := bytes.Clone(update.Output)
		for at := time.Minute; update.ExitCode == nil; at += time.Minute {
			if utf8.Valid(output) && !utf8.Valid(update.Output) {
				t.Errorf("%q is cut", update.Output)
			}
			update = u.write(1000, "", terminal.WriteOptions{At: int64(at)})
			all = append(all, update.Output...)
		}
		if !bytes.Equal(all, output) {
			t.Errorf("%q became %q", output, all)
		}
		_ = u.table.Close(t.Context())
	})
}

func BenchmarkStart(b *testing.B) {
	u := newUser(b, terminal.Config{})
	program := func(_ context.Context, stdio terminal.Stdio) (int, error) {
		_, err := io.WriteString(stdio.Stdout, "done\n")
		return 0, err
	}
	b.ReportAllocs()
	for b.Loop() {
		u.start(program, terminal.StartOptions{TTY: true})
	}
}

// BenchmarkWrite types a line for a process that prints it.
func BenchmarkWrite(b *testing.B) {
	u := newUser(b, terminal.Config{})
	id := u.live(cat, terminal.StartOptions{TTY: true})
	b.ReportAllocs()
	for b.Loop() {
		u.write(id, "hello\n", terminal.WriteOptions{})
	}
}

// BenchmarkTruncate cuts a megabyte to 2500 tokens.
func BenchmarkTruncate(b *testing.B) {
	output := bytes.Repeat([]byte("0123456789abcde\n"), 1<<16)
	b.SetBytes(int64(len(output)))
	for b.Loop() {
		terminal.Truncate(output, new(2500))
	}
}

// BenchmarkPrint prints a megabyte in lines of 16 bytes.
func BenchmarkPrint(b *testing.B) {
	u := newUser(b, terminal.Config{OutputLimit: 1 << 16})
	line := []byte("0123456789abcde\n")
	program := func(_ context.Context, stdio terminal.Stdio) (int, error) {
		for range 1 << 16 {
			if _, err := stdio.Stdout.Write(line); err != nil {
				return 0, err
			}
		}
		return 0, nil
	}
	b.SetBytes(1 << 20)
	b.ReportAllocs()
	for b.Loop() {
		u.start(program, terminal.StartOptions{TTY: true})
	}
}
