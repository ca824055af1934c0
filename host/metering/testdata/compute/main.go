// Command compute is a guest with the runtime and libraries of Go that computes:
// it encodes, sorts, hashes and formats.
package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

func main() {}

type row struct {
	Name  string
	Value uint32
	Tags  []string
}

//go:wasmexport run
func run(n, seed uint32) uint64 {
	rows := make([]row, 0, n)
	for i := range n {
		seed ^= seed << 13
		seed ^= seed >> 17
		seed ^= seed << 5
		rows = append(rows, row{fmt.Sprintf("row-%d", i), seed, []string{"a", strings.Repeat("b", int(seed%7))}})
	}
	slices.SortFunc(rows, func(a, b row) int { return int(a.Value>>1) - int(b.Value>>1) })
	text, err := json.Marshal(rows)
	if err != nil {
		return 0
	}
	var back []row
	if json.Unmarshal(text, &back) != nil || len(back) != len(rows) {
		return 0
	}
	sum := sha256.Sum256(text)
	return binary.LittleEndian.Uint64(sum[:])
}
