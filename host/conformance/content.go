package conformance

import (
	"crypto/sha256"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
)

// contentFeatures are content in messages and beside them.
func contentFeatures() []feature {
	return []feature{
		{"read_content", "content read in pieces, inline and from blobs, from any position", checkReadContent, false},
		{"keep_content", "content of a blob outlives its call when it is copied", checkKeepContent, false},
		{"write_content", "content written in pieces, to a blob if it is long", checkWriteContent, false},
		{"large_results", "large results travel as blobs", checkLargeResults, false},
		{"digests", "matchers compare content by digest, without reading", checkDigests, false},
		{"blob_limit", "a guest that can't write its blob says so, and lives on", checkBlobLimit, false},
		{"reply_limit", "a reply that is too long says so by its length, and the guest lives on", checkReplyLimit, false},
	}
}

// letters are n bytes that repeat with a period of 26.
func letters(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'a' + byte(i%26)
	}
	return b
}

// request is a write of content, inline or as the first blob.
func (s *session) write(content []byte, position uint64) (*abi.WriteRequest, [][]byte) {
	w := &abi.WriteRequest{Path: "f", Data: abi.Stream{Content: abi.Content{Inline: content}, Position: position}}
	if len(content) <= s.limits.InlineBytes {
		return w, nil
	}
	sum := sha256.Sum256(content)
	w.Data.Content = abi.Content{Blob: &abi.Blob{Handle: 1, Size: uint64(len(content)), SHA256: sum[:]}}
	return w, [][]byte{content}
}

func checkReadContent(t *tester) {
	s := t.open(setup{})
	if s == nil {
		return
	}
	for _, size := range []int{0, 1, 4095, 4096, 4097, 65536, 65537, 1_000_003} {
		for _, position := range []uint64{0, 7, 1 << 40} {
			content := letters(size)
			hash := fnv.New32a()
			hash.Write(content)
			request, blobs := s.write(content, position)
			request.Data.Text = size%2 == 1
			answer, err := s.respond("checksum", request, blobs...)
			what := fmt.Sprintf("checksum of %d bytes", size)
			s.reply(what, answer, err, outcome(abi.Outcome{Void: true}))
			s.logged(what, answer, logLine{abi.LogInfo,
				fmt.Sprintf("size=%d position=%d text=%d fnv=%d", size, position, size%2, hash.Sum32())})
		}
		request, blobs := s.write(letters(size), 0)
		answer, err := s.respond("blob_len", request, blobs...)
		s.reply("blob_len", answer, err, outcome(abi.Outcome{Void: true}))
		want := "inline"
		if blobs != nil {
			want = itoa(size)
		}
		s.logged("blob_len", answer, logLine{abi.LogInfo, want})
	}
}

func checkKeepContent(t *tester) {
	s := t.open(setup{})
	if s == nil {
		return
	}
	content := letters(300_000)
	request, blobs := s.write(content, 0)
	answer, err := s.respond("store", request, blobs...)
	s.reply("write", answer, err, outcome(abi.Outcome{Void: true}))
	for range 2 {
		answer, err = s.respond("store", &abi.ReadRequest{Path: "f"})
		s.reply("read", answer, err, outcome(abi.Outcome{Stream: &abi.Stream{Content: abi.Content{Inline: content}}}))
	}
}

func checkWriteContent(t *tester) {
	s := t.open(setup{limits: host.Limits{InlineBytes: 1000, ReplyBytes: 16 << 20, LogBytes: 1 << 20, BlobBytes: 256 << 20}})
	if s == nil {
		return
	}
	for _, lines := range []int{0, 1, 278, 279, 100_000} { // 278 lines have 1002 bytes
		var b strings.Builder
		for i := range lines {
			b.WriteString(itoa(i) + "\n")
		}
		answer, err := s.respond("generate", &abi.ReadRequest{Path: itoa(lines)})
		s.reply("generate "+itoa(lines), answer, err, outcome(abi.Outcome{Stream: &abi.Stream{Content: inline(b.String())}}))
	}
}

func checkLargeResults(t *tester) {
	s := t.open(setup{})
	if s == nil {
		return
	}
	for _, size := range [][2]int{{10, 0}, {65536, 65536}, {65537, 1}, {0, 100_000}, {2_000_000, 70_000}} {
		answer, err := s.respond("big", &abi.ExecRequest{Command: []string{itoa(size[0]), itoa(size[1]), "-7"}})
		s.reply(fmt.Sprintf("big %v", size), answer, err, outcome(abi.Outcome{Exec: &abi.ExecResult{
			Stdout: abi.Content{Inline: letters(size[0])}, Stderr: abi.Content{Inline: letters(size[1])}, ExitCode: -7}}))
	}
}

func checkDigests(t *tester) {
	s := t.open(setup{})
	if s == nil {
		return
	}
	for _, size := range []int{0, 65536, 65537, 500_000} {
		request, blobs := s.write(letters(size), 0)
		reason := "inline"
		if blobs != nil {
			reason = fmt.Sprintf("%x", request.Data.Content.Blob.SHA256)
		}
		answer, err := s.match("digest", request, blobs...)
		s.reply("digest of "+itoa(size), answer, err, &abi.Reply{Verdict: &abi.Verdict{Answer: abi.AnswerReject, Reason: reason,
			Differences: []abi.Difference{{Field: "data", Actual: itoa(size)}}}})
	}
}

func checkBlobLimit(t *tester) {
	s := t.open(setup{limits: host.Limits{InlineBytes: 1000, ReplyBytes: 1 << 20, LogBytes: 1 << 20, BlobBytes: 5000}})
	if s == nil {
		return
	}
	for range 2 {
		answer, err := s.respond("big", &abi.ExecRequest{Command: []string{"6000", "0", "0"}})
		s.guestError("more than the blobs may hold", answer, err, abi.GuestHandlerFailed, "")
		answer, err = s.respond("generate", &abi.ReadRequest{Path: "5000"})
		s.guestError("more than the blobs may hold, in pieces", answer, err, abi.GuestHandlerFailed, "")
		answer, err = s.respond("big", &abi.ExecRequest{Command: []string{"3000", "0", "0"}})
		s.reply("less than that", answer, err, outcome(abi.Outcome{Exec: &abi.ExecResult{Stdout: abi.Content{Inline: letters(3000)}}}))
	}
}

func checkReplyLimit(t *tester) {
	s := t.open(setup{limits: host.Limits{InlineBytes: 65536, ReplyBytes: 2000, LogBytes: 1 << 20, BlobBytes: 1 << 20}})
	if s == nil {
		return
	}
	big := func(size int) *abi.Reply {
		return outcome(abi.Outcome{Exec: &abi.ExecResult{Stdout: abi.Content{Inline: letters(size)}}})
	}
	_, err := s.respond("big", &abi.ExecRequest{Command: []string{"3000", "0", "0"}})
	s.tooLong("a reply above the limit", err, len(big(3000).Append(nil)))
	answer, err := s.respond("big", &abi.ExecRequest{Command: []string{"1000", "0", "0"}})
	s.reply("a reply below it", answer, err, big(1000))
}
