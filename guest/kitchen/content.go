package main

import (
	"hash/fnv"
	"io"
	"strconv"

	"github.com/wasmsandbox/wasmsandbox/guest"
)

func registerContent() {
	guest.OnWrite("checksum", checksum)
	guest.OnRead("generate", generate)
	guest.OnExec("big", big)
}

// checksum reads content in pieces.
func checksum(_ *guest.Call, req *guest.WriteRequest) error {
	hash, buffer := fnv.New32a(), make([]byte, 4096)
	reader := req.Data.Content.Reader()
	for {
		n, err := reader.Read(buffer)
		hash.Write(buffer[:n])
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	text := "0"
	if req.Data.Text {
		text = "1"
	}
	guest.Info("size=" + strconv.FormatInt(req.Data.Content.Size(), 10) +
		" position=" + strconv.FormatUint(req.Data.Position, 10) + " text=" + text +
		" fnv=" + strconv.FormatUint(uint64(hash.Sum32()), 10))
	return nil
}

// generate writes content in pieces.
func generate(_ *guest.Call, req *guest.ReadRequest) (*guest.Stream, error) {
	lines, err := strconv.Atoi(req.Path)
	if err != nil {
		return nil, err
	}
	var w guest.Writer
	for i := range lines {
		if _, err := w.WriteString(strconv.Itoa(i) + "\n"); err != nil {
			return nil, err
		}
	}
	content, err := w.Content()
	return &guest.Stream{Content: content}, err
}

// big returns outputs that were made in memory.
func big(_ *guest.Call, req *guest.ExecRequest) (*guest.ExecResult, error) {
	var numbers [3]int
	for i := range numbers {
		n, err := strconv.Atoi(req.Command[i])
		if err != nil {
			return nil, err
		}
		numbers[i] = n
	}
	return &guest.ExecResult{
		Stdout: guest.Bytes(letters(numbers[0])), Stderr: guest.Bytes(letters(numbers[1])), ExitCode: int32(numbers[2]),
	}, nil
}

func letters(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'a' + byte(i%26)
	}
	return b
}
