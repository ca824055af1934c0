package abi_test

import (
	"fmt"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// benchmarked are messages of the usual sizes.
var benchmarked = []struct {
	name    string
	message message
}{
	{"call_exec", call(3, someTime, &abi.ExecRequest{Command: []string{"pwd"}})},
	{"reply_exec", outcome(abi.Outcome{Exec: &abi.ExecResult{Stdout: inline("/workspace\n")}})},
	{"reply_exec_60kB", outcome(abi.Outcome{Exec: &abi.ExecResult{Stdout: abi.Content{Inline: make([]byte, 60_000)}}})},
	{"reply_ls_100", outcome(abi.Outcome{Listing: manyFiles(100)})},
	{"open_values", &abi.Open{Config: everyValue(), Seed: 1, StartTimeNS: someTime}},
}

func manyFiles(n int) *abi.Listing {
	listing := &abi.Listing{}
	for i := range n {
		listing.Entries = append(listing.Entries, abi.FileEntry{
			Path: fmt.Sprintf("src/file%d.go", i), Permissions: 0o644, Owner: "root", Group: "root", Size: uint64(i * 100),
		})
	}
	return listing
}

func BenchmarkAppend(b *testing.B) {
	for _, m := range benchmarked {
		buf := make([]byte, 0, 1<<17)
		b.Run(m.name+"/ours", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				buf = m.message.Append(buf[:0])
			}
		})
		official, options := toOfficial(m.message), proto.MarshalOptions{Deterministic: true}
		b.Run(m.name+"/official", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if buf, err = options.MarshalAppend(buf[:0], official); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkUnmarshal(b *testing.B) {
	for _, m := range benchmarked {
		data := m.message.Append(nil)
		ours, official := newMessageLike(m.message), toOfficial(m.message)
		b.Run(m.name+"/ours", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := ours.Unmarshal(data); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(m.name+"/official", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := proto.Unmarshal(data, official); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// newMessageLike is an empty message of the same type.
func newMessageLike(m message) message {
	for _, top := range topLevel {
		if top.name == nameOf(m) {
			return top.ours()
		}
	}
	panic("no message is called " + nameOf(m))
}
