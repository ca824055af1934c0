package js

import (
	"encoding/hex"
	"testing"

	vectors "github.com/wasmsandbox/wasmsandbox/testdata/abi"
)

// The codec is in JavaScript, so the vectors are read by the interpreter.

func TestValidVectorsAreReadAndWritten(t *testing.T) {
	all, err := vectors.Valid()
	if err != nil || len(all) == 0 {
		t.Fatalf("%d vectors, %v", len(all), err)
	}
	s := session(t, loadFile(t, "testdata/codec.js"), "recode")
	for _, v := range all {
		want := v.Canonical
		if want == nil {
			want = v.Data
		}
		result := exec(t, s, "recode", v.Message, hex.EncodeToString(v.Data))
		if got := string(result.Stdout); got != hex.EncodeToString(want) {
			t.Errorf("%s (%s):\ngot  %s\nwant %x", v.Name, v.About, got, want)
		}
	}
}

func TestMalformedVectorsAreRefusedForTheirReason(t *testing.T) {
	all, err := vectors.Malformed()
	if err != nil || len(all) == 0 {
		t.Fatalf("%d vectors, %v", len(all), err)
	}
	s := session(t, loadFile(t, "testdata/codec.js"), "recode")
	for _, v := range all {
		result := exec(t, s, "recode", v.Message, hex.EncodeToString(v.Data))
		if got := string(result.Stdout); result.ExitCode != 1 || got != v.Reason {
			t.Errorf("%s (%s): got %s, want %s", v.Name, v.About, got, v.Reason)
		}
	}
}
