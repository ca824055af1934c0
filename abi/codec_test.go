package abi_test

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/abi/internal/abipb"
)

const rounds = 400

// forRandomMessages runs f on messages with random contents, in the form that
// package abi writes.
func forRandomMessages(t *testing.T, f func(t *testing.T, r random, official proto.Message, ours message)) {
	for _, top := range topLevel {
		t.Run(top.name, func(t *testing.T) {
			for seed := range uint64(rounds) {
				r := newRandom(seed)
				m := top.official()
				r.fill(m.ProtoReflect(), 7)
				normalize(m.ProtoReflect())
				f(t, r, m, top.ours())
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

func TestDecodingOfficialBytesGivesTheSameMessage(t *testing.T) {
	forRandomMessages(t, func(t *testing.T, _ random, official proto.Message, ours message) {
		if err := ours.Unmarshal(marshal(official)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(official, toOfficial(ours), protocmp.Transform()); diff != "" {
			t.Errorf("decoded message (-official +ours):\n%s", diff)
		}
	})
}

func TestEncodingEqualsTheOfficialDeterministicBytes(t *testing.T) {
	forRandomMessages(t, func(t *testing.T, _ random, official proto.Message, ours message) {
		want := marshal(official)
		if err := ours.Unmarshal(want); err != nil {
			t.Fatal(err)
		}
		if got := ours.Append(nil); !bytes.Equal(got, want) {
			t.Errorf("encoded as %x, want %x", got, want)
		}
		if got := ours.Append([]byte("prefix")); string(got) != "prefix"+string(want) {
			t.Errorf("appended as %x", got)
		}
	})
}

func TestAnyValidEncodingOfAMessageDecodesToIt(t *testing.T) {
	forRandomMessages(t, func(t *testing.T, r random, official proto.Message, ours message) {
		data := r.scramble(official)
		if err := ours.Unmarshal(data); err != nil {
			t.Fatalf("%x: %v", data, err)
		}
		if got, want := ours.Append(nil), marshal(official); !bytes.Equal(got, want) {
			t.Errorf("%x encodes as %x, want %x", data, got, want)
		}
	})
}

func TestMessagesThatFollowEachOtherMergeAsTheOfficialRuntimeMerges(t *testing.T) {
	forRandomMessages(t, func(t *testing.T, r random, official proto.Message, ours message) {
		second := official.ProtoReflect().New().Interface()
		r.fill(second.ProtoReflect(), 5)
		assertAgreement(t, append(marshal(official), marshal(second)...), ours, official)
	})
}

func TestDamagedBytesAreTakenAndRefusedAsByTheOfficialRuntime(t *testing.T) {
	forRandomMessages(t, func(t *testing.T, r random, official proto.Message, ours message) {
		data := marshal(official)
		if len(data) > 1000 {
			return
		}
		for n := range data {
			assertAgreement(t, data[:n], ours, official)
			damaged := bytes.Clone(data)
			damaged[n] ^= 1 << r.IntN(8)
			assertAgreement(t, damaged, ours, official)
		}
	})
}

// stricter are the reasons for which package abi refuses what the official
// runtime takes; SPEC.md lists them.
var stricter = []abi.Reason{
	abi.ErrRange, abi.ErrWireType, abi.ErrDepth, abi.ErrTooMany, abi.ErrMissing, abi.ErrEnum, abi.ErrDigest,
}

// assertAgreement decodes with both runtimes and fails unless they agree, in
// what they take and in what they understand.
func assertAgreement(t *testing.T, data []byte, ours message, official proto.Message) {
	t.Helper()
	officialErr := unmarshal(data, official)
	err := ours.Unmarshal(data)
	var failure *abi.DecodeError
	switch {
	case err == nil && officialErr != nil:
		t.Errorf("%x: taken, but the official runtime fails: %v", data, officialErr)
	case err == nil:
		assertSame(t, data, ours, official)
	case !errors.As(err, &failure) || failure.Message == "" || failure.Offset < 0 || failure.Offset > len(data):
		t.Errorf("%x: error %#v doesn't say where", data, err)
	case officialErr == nil && !isStricter(failure.Reason):
		t.Errorf("%x: refused (%v), but the official runtime takes it", data, err)
	}
}

func isStricter(reason abi.Reason) bool {
	for _, r := range stricter {
		if errors.Is(reason, r) {
			return true
		}
	}
	return false
}

func assertSame(t *testing.T, data []byte, ours message, official proto.Message) {
	t.Helper()
	if !proto.Equal(official, toOfficial(ours)) {
		t.Errorf("%x: decoded message (-official +ours):\n%s", data,
			cmp.Diff(official, toOfficial(ours), protocmp.Transform()))
	}
	if got, want := ours.Append(nil), marshal(official); !bytes.Equal(got, want) {
		t.Errorf("%x: encodes as %x, officially as %x", data, got, want)
	}
	again := newMessageLike(ours)
	if err := again.Unmarshal(ours.Append(nil)); err != nil || !reflect.DeepEqual(ours, again) {
		t.Errorf("%x: %+v, encoded and decoded again %+v (%v)", data, ours, again, err) // cmp takes exponential time
	}
}

func TestOfTwoMembersOfAOneofOnlyTheLastIsKept(t *testing.T) {
	r := newRandom(1)
	outcomes := withEachMember(r, new(abipb.Outcome))
	for i, outcome := range outcomes {
		outcomes[i] = field(3, outcome)
	}
	for _, group := range []struct {
		message  string
		variants [][]byte
	}{
		{"Call", withEachMember(r, new(abipb.Call))},
		{"Reply", withEachMember(r, new(abipb.Reply))},
		{"Reply", outcomes},
	} {
		for _, first := range group.variants {
			for _, second := range group.variants {
				ours, official := newMessage(t, group.message)
				assertAgreement(t, append(bytes.Clone(first), second...), ours, official)
			}
		}
	}
}

// withEachMember is encodings of the message with each member of its oneof set
// to something random.
func withEachMember(r random, m proto.Message) [][]byte {
	var all [][]byte
	members := m.ProtoReflect().Descriptor().Oneofs().Get(0).Fields()
	for i := range members.Len() {
		variant := m.ProtoReflect().New()
		variant.Set(members.Get(i), r.value(variant, members.Get(i), 5))
		all = append(all, marshal(variant.Interface()))
	}
	return all
}

func TestUnmarshalReplacesWhatTheMessageHeld(t *testing.T) {
	call := abi.Call{Index: 7, TimeNS: 9, Request: &abi.ExecRequest{Command: []string{"old"}}}
	fresh := abi.Call{Request: &abi.ExecRequest{Command: []string{"new"}}}
	if err := call.Unmarshal(fresh.Append(nil)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fresh, call); diff != "" {
		t.Errorf("decoded call (-want +got):\n%s", diff)
	}
}

func TestBytesReferToTheDataAndTextIsCopied(t *testing.T) {
	reply := abi.Reply{Outcome: &abi.Outcome{Stream: &abi.Stream{Content: abi.Content{Inline: []byte("data")}}}}
	encoded := reply.Append(nil)
	var decoded abi.Reply
	if err := decoded.Unmarshal(encoded); err != nil {
		t.Fatal(err)
	}
	inline := decoded.Outcome.Stream.Content.Inline
	encoded[len(encoded)-1] = '!'
	if string(inline) != "dat!" || cap(inline) != len(inline) {
		t.Errorf("inline content is %q with capacity %d, want a view of the data without spare", inline, cap(inline))
	}

	call := abi.Call{Request: &abi.ReadRequest{Path: "data"}}
	encoded = call.Append(nil)
	if err := call.Unmarshal(encoded); err != nil {
		t.Fatal(err)
	}
	clear(encoded)
	if path := call.Request.(*abi.ReadRequest).Path; path != "data" {
		t.Errorf("path is %q after the data changed", path)
	}
}

func TestTextThatIsNotUTF8IsWrittenWithReplacements(t *testing.T) {
	reply := abi.Reply{Verdict: &abi.Verdict{Answer: abi.AnswerReject, Reason: "no \xff\xfe!"}}
	var decoded abi.Reply
	if err := decoded.Unmarshal(reply.Append(nil)); err != nil {
		t.Fatal(err)
	}
	if want := "no \uFFFD!"; decoded.Verdict.Reason != want {
		t.Errorf("reason %q, want %q", decoded.Verdict.Reason, want)
	}
}

func TestAReplyWithSeveralKindsIsWrittenAsItsFirst(t *testing.T) {
	reply := abi.Reply{Verdict: &abi.Verdict{}, Done: true}
	only := abi.Reply{Verdict: &abi.Verdict{}}
	if got, want := reply.Append(nil), only.Append(nil); !bytes.Equal(got, want) {
		t.Errorf("encoded as %x, want %x", got, want)
	}
	if got := new(abi.Reply).Append(nil); len(got) != 0 {
		t.Errorf("a reply without a kind is encoded as %x", got)
	}
	if got := (&abi.Reply{Outcome: &abi.Outcome{}}).Append(nil); !bytes.Equal(got, []byte{0x1a, 0}) {
		t.Errorf("an outcome without a kind is encoded as %x", got)
	}
	if got := (&abi.Call{Index: 1}).Append(nil); !bytes.Equal(got, []byte{8, 1}) {
		t.Errorf("a call without a request is encoded as %x", got)
	}
}

func TestEncodingIntoAReusedBufferAllocatesNothing(t *testing.T) {
	call := abi.Call{Index: 3, TimeNS: 1, Request: &abi.ExecRequest{Command: []string{"pwd"}}}
	buf := make([]byte, 0, 256)
	if n := testing.AllocsPerRun(100, func() { buf = call.Append(buf[:0]) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestDecodingAnExecResultAllocatesTwice(t *testing.T) {
	reply := abi.Reply{Outcome: &abi.Outcome{Exec: &abi.ExecResult{Stdout: abi.Content{Inline: []byte("/\n")}}}}
	data := reply.Append(nil)
	n := testing.AllocsPerRun(100, func() {
		if err := reply.Unmarshal(data); err != nil {
			t.Error(err)
		}
	})
	if n > 2 {
		t.Errorf("%v allocations, want the outcome and the result", n)
	}
}
