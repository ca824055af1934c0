package metering_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

var update = flag.Bool("update", false, "make the fingerprint of the package's code anew")

// Rewritten modules are kept on disks. Those of other code must not be taken for what
// this code makes, whatever the difference is, and whoever makes it.
func TestTheFingerprintIsThatOfTheCode(t *testing.T) {
	const file = "fingerprint.go"
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	code := sha256.New()
	for _, source := range sources { // in order
		if source == file || strings.HasSuffix(source, "_test.go") {
			continue
		}
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range words(t, text) {
			fmt.Fprintf(code, "%q\n", word)
		}
	}
	want := fmt.Sprintf("%x", code.Sum(nil))
	if metering.Fingerprint == want {
		return
	}
	if !*update {
		t.Fatal("the code isn't the one of the fingerprint: run go generate ./host/metering")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	constant := regexp.MustCompile(`(?m)^const Fingerprint = ".*"$`)
	fresh := constant.ReplaceAll(text, []byte(`const Fingerprint = "`+want+`"`))
	if err := os.WriteFile(file, fresh, 0o644); err != nil {
		t.Fatal(err)
	}
}

// words are what Go code consists of, without comments and layout.
func words(t *testing.T, source []byte) (list []string) {
	t.Helper()
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, source, func(at token.Position, problem string) { t.Errorf("%v: %s", at, problem) }, 0)
	for {
		_, kind, literal := s.Scan()
		if kind == token.EOF {
			return list
		}
		list = append(list, kind.String()+" "+literal)
	}
}
