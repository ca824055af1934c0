package verify_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/scripts/verify"
)

// aManifest is one that can be read.
func aManifest() *verify.Manifest {
	digest := strings.Repeat("0f", 32)
	return &verify.Manifest{
		Version: verify.ManifestVersion, Tool: "v1.0.0", ABI: "1.0", Go: "go1.26", Platform: "linux/amd64",
		Engines: []verify.ManifestEngine{{Name: "wazero", Version: "v1.12.0"}},
		Scripts: []verify.ManifestScript{{
			File: "a/script.yaml", SHA256: digest,
			Modules: []verify.ManifestModule{{Name: "git", SHA256: digest, Stdin: digest}},
			Seed:    1<<64 - 1, StartTime: time.Date(2000, 1, 1, 0, 0, 0, 5, time.UTC), Limits: map[string]int64{"log_bytes": 5},
			Digest: digest, Transcript: transcript("", "start files=1", "0 method=exec", "1 method=exec", "end verdict=held"),
		}},
	}
}

func TestAManifestIsReadAsItWasWritten(t *testing.T) {
	want := aManifest()
	text, err := want.Append([]byte("before"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "manifest.json")
	if err := os.WriteFile(name, bytes.TrimPrefix(text, []byte("before")), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := verify.ReadManifestFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestManifestsThatCannotBeAreRefused(t *testing.T) {
	good, err := aManifest().Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ old, new, want string }{
		{`"version": 1`, `"version": 2`, "the manifest has version 2, and only 1 is known"},
		{`"version": 1`, `"version": 2, "later": true`, "the manifest has version 2, and only 1 is known"},
		{`"version": 1,`, ``, "the manifest can't be used: version: is missing"},
		{`"version": 1`, `"version": "1"`, "the manifest can't be read: "},
		{`"tool"`, `"tools"`, `the manifest can't be read: json: unknown field "tools"`},
		{`"field": "method"`, `"field": "method", "more": 1`, `the manifest can't be read: json: unknown field "more"`},
		{`"seed": 18446744073709551615`, `"seed": -1`, "the manifest can't be read: "},
		{`"name": "wazero"`, `"name": ""`, "the manifest can't be used: engines[0].name: is missing"},
		{`"engines": [`, `"engines": [{"name": "wazero", "version": ""},`, "the manifest can't be used: engines[1].name: is there twice"},
		{`"file": "a/script.yaml"`, `"file": ""`, "the manifest can't be used: scripts[0].file: is missing"},
		{`"name": "git"`, `"name": ""`, "the manifest can't be used: scripts[0].modules[0].name: is missing"},
		{`"digest": "0f`, `"digest": "0x`, "the manifest can't be used: scripts[0].digest: must be a SHA-256 of 64 hexadecimal digits"},
		{`"stdin_sha256": "0f`, `"stdin_sha256": "`, "the manifest can't be used: scripts[0].modules[0].stdin_sha256: must be a SHA-256 of 64 hexadecimal digits"},
		{`"start_time": "2000-01-01T00:00:00.000000005Z",`, ``, "the manifest can't be used: scripts[0].start_time: is missing"},
		{`"call": 0`, `"call": -3`, "the manifest can't be used: scripts[0].transcript.facts[1].call: its facts aren't in the order of the calls"},
		{`"verdict": "held"`, `"engine": "wazero", "verdict": "held"`, "the manifest can't be used: scripts[0].transcript.engine: isn't kept in a manifest"},
		{`"value": "exec"`, `"value": "exec", "engine_words": true`, "the manifest can't be used: scripts[0].transcript.facts[1].engine_words: isn't kept in a manifest"},
		{`"call": 0`, `"call": 0, "field": "method", "value": ""}, {"call": 0`, "the manifest can't be used: scripts[0].transcript.facts[2].field: is there twice"},
		{`"field": "method"`, `"field": ""`, "the manifest can't be used: scripts[0].transcript.facts[1].field: is missing"},
	} {
		text := strings.Replace(string(good), test.old, test.new, 1)
		if text == string(good) {
			t.Fatalf("there is no %s", test.old)
		}
		if m, err := verify.ParseManifest([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("with %s: got %v and the error %v, want %s", test.new, m, err, test.want)
		}
	}
	for name, text := range map[string]string{"nothing": "", "half": string(good[:len(good)/2]), "two": string(good) + string(good), "another": "[]", "null": "null"} {
		if m, err := verify.ParseManifest([]byte(text)); err == nil {
			t.Errorf("%s: got %v", name, m)
		}
	}
	_, err = verify.ParseManifest([]byte(`{"version": 7}`))
	if e, ok := errors.AsType[*verify.VersionError](err); !ok || e.Version != 7 {
		t.Errorf("got %v", err)
	}
}

func TestAManifestIsNoLongerThanItsLimit(t *testing.T) {
	if _, err := verify.ReadManifest(io.LimitReader(spaces{}, verify.MaxManifest+100)); err == nil || !strings.HasSuffix(err.Error(), "it is longer than 64 MiB") {
		t.Errorf("got the error %v", err)
	}
	m := aManifest()
	m.Tool = strings.Repeat(" ", verify.MaxManifest)
	if _, err := m.Append(nil); err == nil || !strings.HasSuffix(err.Error(), "it is longer than 64 MiB") {
		t.Errorf("got the error %v", err)
	}
}

// spaces are endless.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func FuzzParseManifest(f *testing.F) {
	good, err := aManifest().Append(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"version":1}`))
	f.Add([]byte(`{"version":1,"engines":[{"name":"a"}],"scripts":[{}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := verify.ParseManifest(data)
		if err != nil {
			return
		}
		text, err := m.Append(nil)
		if err != nil {
			if _, ok := errors.AsType[*json.MarshalerError](err); ok {
				return // a time that JSON can't have
			}
			t.Fatal(err)
		}
		again, err := verify.ParseManifest(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for i := range m.Scripts {
			if list := verify.Compare(m.Scripts[i].Transcript, again.Scripts[i].Transcript); list != nil {
				t.Errorf("the differences are %+v", list)
			}
		}
	})
}
