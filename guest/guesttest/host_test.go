package guesttest

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// The imports answer as section 3 of SPEC.md says.
func TestImportsAnswerAsTheSpecificationSays(t *testing.T) {
	h := new(host)
	own := h.content(make([]byte, abi.InlineBytes+1)).Blob.Handle
	written := uint32(h.BlobNew())
	h.written = limits.BlobBytes - 15
	buffer := make([]byte, 10)
	tests := []struct {
		name string
		got  int32
		want abi.Status
	}{
		{"writing to the host's blob", h.BlobWrite(own, buffer), abi.StatusBadHandle},
		{"writing to a blob that isn't", h.BlobWrite(99, buffer), abi.StatusBadHandle},
		{"writing to a new blob", h.BlobWrite(written, buffer), 10},
		{"writing more than the limit allows", h.BlobWrite(written, buffer), abi.StatusLimit},
		{"writing as much as the limit allows", h.BlobWrite(written, buffer[:5]), 5},
		{"writing nothing", h.BlobWrite(written, nil), 0},
		{"reading what was written", h.BlobRead(written, 6, buffer), 9},
		{"reading across the end", h.BlobRead(own, abi.InlineBytes-4, buffer), 5},
		{"reading at the end", h.BlobRead(own, abi.InlineBytes+1, buffer), 0},
		{"reading past the end", h.BlobRead(own, 1<<40, buffer), 0},
		{"reading at a negative offset", h.BlobRead(own, math.MaxUint64, buffer), abi.StatusBadArgument},
		{"reading from a blob that isn't", h.BlobRead(0, 0, buffer), abi.StatusBadHandle},
		{"logging at a level that isn't", h.Log(abi.LogError+1, "a"), abi.StatusBadArgument},
		{"logging what isn't UTF-8", h.Log(abi.LogError, "\xff"), 0},
		{"logging more than the limit allows", h.Log(abi.LogInfo, strings.Repeat("a", 1<<20)), abi.StatusLimit},
		{"logging beyond the limit", h.Log(abi.LogInfo, "a"), abi.StatusLimit},
	}
	for _, test := range tests {
		if test.got != int32(test.want) {
			t.Errorf("%s: %d, want %d", test.name, test.got, test.want)
		}
	}
	want := []Log{{abi.LogError, "\uFFFD"}, {abi.LogInfo, strings.Repeat("a", 1<<20-1)}}
	if !reflect.DeepEqual(h.logs, want) {
		t.Errorf("it keeps %d lines", len(h.logs))
	}
}

func TestGuestIsDeadHoweverBadlyItSaysSo(t *testing.T) {
	report := abi.Panic{Message: "boom"}
	for name, test := range map[string]struct {
		report []byte
		status abi.Status
		want   string
	}{
		"a report":                      {report.Append(nil), 0, "boom"},
		"one that can't be decoded":     {[]byte{0xff}, abi.StatusBadMessage, "its report can't be decoded"},
		"one that is longer than 1 MiB": {bytes.Repeat([]byte{0}, 1<<20+1), abi.StatusLimit, "its report is too long"},
	} {
		h := new(host)
		if got := h.Fail(test.report); got != int32(test.status) || h.panicked == nil || h.panicked.Message != test.want {
			t.Errorf("%s: %d, %+v", name, got, h.panicked)
		}
	}
}
