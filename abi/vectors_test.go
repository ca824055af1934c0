package abi_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/wasmsandbox/wasmsandbox/abi"
	vectors "github.com/wasmsandbox/wasmsandbox/testdata/abi"
)

var update = flag.Bool("update", false, "write the vectors in testdata/abi/v1")

const vectorFolder = "../testdata/abi/v1"

// field is one length-delimited field.
func field(num protowire.Number, content []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, num, protowire.BytesType), content)
}

// newMessage returns the message of that name in both runtimes.
func newMessage(t *testing.T, name string) (message, proto.Message) {
	t.Helper()
	for _, top := range topLevel {
		if top.name == name {
			return top.ours(), top.official()
		}
	}
	t.Fatalf("no message is called %q", name)
	return nil, nil
}

func nameOf(m message) string {
	return string(toOfficial(m).ProtoReflect().Descriptor().Name())
}

// render is the message in protobuf's JSON form, in one line.
func render(t *testing.T, m proto.Message) string {
	t.Helper()
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer // the official form has random white space
	if err := json.Compact(&compact, text); err != nil {
		t.Fatal(err)
	}
	return compact.String()
}

// wantedFiles are the vectors as the definitions in this package have them.
func wantedFiles(t *testing.T) map[string]string {
	t.Helper()
	files := make(map[string]string)
	for _, v := range validVectors {
		official := toOfficial(v.message)
		files["valid/"+v.name+".txt"] = vectors.Vector{
			Message: nameOf(v.message), About: v.about, Data: v.data(), Canonical: marshal(official), JSON: render(t, official),
		}.Format()
	}
	for _, v := range malformedVectors {
		data, err := hex.DecodeString(v.encoding)
		if err != nil {
			t.Fatalf("%s: %v", v.name, err)
		}
		protobuf := "refuses"
		if _, official := newMessage(t, v.message); proto.Unmarshal(data, official) == nil {
			protobuf = "accepts"
		}
		files["malformed/"+v.name+".txt"] = vectors.Vector{
			Message: v.message, About: v.about, Data: data,
			Layer: layers[v.reason], Reason: reasonNames[v.reason], Field: v.field, Protobuf: protobuf,
		}.Format()
	}
	return files
}

func TestVectorFilesAreFresh(t *testing.T) {
	wanted := wantedFiles(t)
	if len(wanted) != len(validVectors)+len(malformedVectors) {
		t.Fatal("two vectors have the same name")
	}
	if *update {
		writeVectors(t, wanted)
	}
	found, err := filepath.Glob(filepath.Join(vectorFolder, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != len(wanted) {
		t.Errorf("%d files, want %d; run go test ./abi -update", len(found), len(wanted))
	}
	for name, want := range wanted {
		got, err := os.ReadFile(filepath.Join(vectorFolder, name))
		if err != nil || string(got) != want {
			t.Errorf("%s is stale (%v); run go test ./abi -update", name, err)
		}
	}
}

func writeVectors(t *testing.T, files map[string]string) {
	t.Helper()
	for _, folder := range []string{"valid", "malformed"} {
		folder = filepath.Join(vectorFolder, folder)
		if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(vectorFolder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestValidVectorsDecodeAndEncodeInBothRuntimes(t *testing.T) {
	all, err := vectors.Valid()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		t.Run(v.Name, func(t *testing.T) {
			ours, official := newMessage(t, v.Message)
			if err := ours.Unmarshal(v.Data); err != nil {
				t.Fatal(err)
			}
			if got := ours.Append(nil); !bytes.Equal(got, v.Canonical) {
				t.Errorf("encodes as %x, want %x", got, v.Canonical)
			}
			assertAgreement(t, v.Data, ours, official)
			if got := render(t, official); got != v.JSON {
				t.Errorf("means %s, want %s", got, v.JSON)
			}
			fromJSON := official.ProtoReflect().New().Interface()
			if err := protojson.Unmarshal([]byte(v.JSON), fromJSON); err != nil {
				t.Fatal(err)
			}
			if got := marshal(fromJSON); !bytes.Equal(got, v.Canonical) {
				t.Errorf("the JSON form encodes as %x, want %x", got, v.Canonical)
			}
		})
	}
}

func TestMalformedVectorsAreRefusedForTheirReason(t *testing.T) {
	all, err := vectors.Malformed()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		t.Run(v.Name, func(t *testing.T) {
			ours, official := newMessage(t, v.Message)
			err := ours.Unmarshal(v.Data)
			var failure *abi.DecodeError
			if !errors.As(err, &failure) {
				t.Fatalf("got %v, want a DecodeError", err)
			}
			if got := reasonNames[failure.Reason]; got != v.Reason || layers[failure.Reason] != v.Layer {
				t.Errorf("refused because of %q in layer %q, want %q in %q", got, layers[failure.Reason], v.Reason, v.Layer)
			}
			if got := strings.TrimSuffix(failure.Message+"."+failure.Field, "."); got != v.Field {
				t.Errorf("fails at %s, want %s", got, v.Field)
			}
			if accepts := proto.Unmarshal(v.Data, official) == nil; accepts != (v.Protobuf == "accepts") {
				t.Errorf("the official runtime accepts: %v, want it to be as in %q", accepts, v.Protobuf)
			}
		})
	}
}

func TestEveryReasonHasAMalformedVectorForEachMessageThatCanFailForIt(t *testing.T) {
	inapplicable := map[string]bool{ // no field of the message can fail so
		"Call depth": true,
		"Open range": true, "Open missing": true, "Open enum": true, "Open digest": true,
		"Panic invalid_utf8": true, "Panic depth": true, "Panic missing": true, "Panic enum": true, "Panic digest": true,
	}
	covered := make(map[string]bool)
	for _, v := range malformedVectors {
		covered[v.message+" "+reasonNames[v.reason]] = true
	}
	for _, top := range topLevel {
		for _, reason := range reasonNames {
			if reason == "too_many" { // too large for a file: it has a test of its own
				continue
			}
			if key := top.name + " " + reason; covered[key] == inapplicable[key] {
				t.Errorf("%s: covered is %v", key, covered[key])
			}
		}
	}
}

func TestVectorParserRefusesWhatItDoesNotKnow(t *testing.T) {
	for _, text := range []string{"# color: red\n\n00\n", "# message: Call\n\n0\n", "# message: Call\n\nzz\n", "# canonical: 0\n\n00\n"} {
		if v, err := vectors.Parse("x", text); err == nil {
			t.Errorf("%q is read as %+v", text, v)
		}
	}
}
