package abi_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

func readSpec(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("SPEC.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// specTable is the rows of the table with that header, without code marks.
func specTable(t *testing.T, spec string, header ...string) [][]string {
	t.Helper()
	_, rest, ok := strings.Cut(spec, "\n| "+strings.Join(header, " | ")+" |\n")
	if !ok {
		t.Fatalf("SPEC.md has no table of %v", header)
	}
	var rows [][]string
	for line := range strings.Lines(rest) {
		cells, ok := strings.CutPrefix(strings.TrimSpace(line), "|")
		if !ok {
			break
		}
		if strings.HasPrefix(cells, "---") {
			continue
		}
		row := strings.Split(strings.TrimSuffix(cells, "|"), "|")
		for i := range row {
			row[i] = strings.Trim(row[i], " `")
		}
		rows = append(rows, row)
	}
	return rows
}

// specBlocks is the contents of the fenced blocks of a kind, by what follows the
// kind.
func specBlocks(spec, kind string) []struct{ info, text string } {
	var blocks []struct{ info, text string }
	for _, m := range regexp.MustCompile("(?ms)^```"+kind+" ?(\\w*)\n(.*?)^```$").FindAllStringSubmatch(spec, -1) {
		blocks = append(blocks, struct{ info, text string }{m[1], m[2]})
	}
	return blocks
}

func TestSpecBytesAreWhatBothRuntimesWrite(t *testing.T) {
	blocks := specBlocks(readSpec(t), "hex")
	if len(blocks) < 12 {
		t.Fatalf("only %d blocks", len(blocks))
	}
	for i, block := range blocks {
		t.Run(fmt.Sprintf("%d_%s", i, block.info), func(t *testing.T) {
			data := specBytes(t, block.text)
			ours, official := newMessage(t, block.info)
			if err := ours.Unmarshal(data); err != nil {
				t.Fatal(err)
			}
			assertAgreement(t, data, ours, official)
			if got := ours.Append(nil); !bytes.Equal(got, data) {
				t.Errorf("encodes as % x, want % x", got, data)
			}
		})
	}
}

// specBytes is the bytes of a block without its remarks.
func specBytes(t *testing.T, block string) []byte {
	t.Helper()
	var digits strings.Builder
	for line := range strings.Lines(block) {
		code, _, _ := strings.Cut(line, ";")
		digits.WriteString(strings.Join(strings.Fields(code), ""))
	}
	data, err := hex.DecodeString(digits.String())
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestSpecRemarksNameTheFieldsThatAreEncoded(t *testing.T) {
	for i, block := range specBlocks(readSpec(t), "hex") {
		_, official := newMessage(t, block.info)
		if err := unmarshal(specBytes(t, block.text), official); err != nil {
			t.Fatal(err)
		}
		rendered := render(t, official)
		for _, m := range regexp.MustCompile(`; +(\w+)`).FindAllStringSubmatch(block.text, -1) {
			if !strings.Contains(rendered, `"`+m[1]+`":`) {
				t.Errorf("block %d: the remark names %s, the message is %s", i, m[1], rendered)
			}
		}
	}
}

// The worked example gives lengths outside of its blocks.
func TestSpecExampleCallHasTheLengthsOfItsMessages(t *testing.T) {
	_, example, _ := strings.Cut(readSpec(t), "## 8. A whole call")
	blocks := specBlocks(example, "hex")
	if len(blocks) != 3 {
		t.Fatalf("%d blocks, want a call, a verdict and an outcome", len(blocks))
	}
	var length [3]int
	for i, block := range blocks {
		length[i] = len(specBytes(t, block.text))
	}
	for _, want := range []string{
		fmt.Sprintf("`wasmsandbox_match(1, %d)`", length[0]),
		fmt.Sprintf("`wasmsandbox_respond(2, %d)`", length[0]),
		fmt.Sprintf("0x00013000%08x, the place of\n\n```hex Reply\n12", length[1]),
		fmt.Sprintf("0x00013000%08x, the place of\n\n```hex Reply\n1a", length[2]),
	} {
		if !strings.Contains(example, want) {
			t.Errorf("the example lacks %q", want)
		}
	}
}

func TestSpecPackedResultsAreAddressAndLength(t *testing.T) {
	for _, row := range specTable(t, readSpec(t), "address", "length", "packed") {
		var parts [3]uint64
		for i, cell := range row {
			v, err := strconv.ParseUint(cell, 0, 64)
			if err != nil {
				t.Fatal(err)
			}
			parts[i] = v
		}
		if parts[0]<<32|parts[1] != parts[2] {
			t.Errorf("%v don't fit", row)
		}
	}
}

func TestSpecFunctionsAreThoseOfTheCode(t *testing.T) {
	spec := readSpec(t)
	var exports, imports []abi.Function
	for _, row := range specTable(t, spec, "export", "signature", "required", "called") {
		exports = append(exports, abi.Function{Name: row[0], Signature: row[1], Required: row[2] == "yes"})
	}
	for _, row := range specTable(t, spec, "import", "signature", "answers") {
		imports = append(imports, abi.Function{Name: row[0], Signature: row[1]})
	}
	if want := abi.Exports(); !slices.Equal(exports, want) {
		t.Errorf("exports are %v, in the code %v", exports, want)
	}
	if want := abi.Imports(); !slices.Equal(imports, want) {
		t.Errorf("imports are %v, in the code %v", imports, want)
	}
}

func TestSpecTextFormatSignaturesAreThoseOfTheCode(t *testing.T) {
	want := make(map[string]string)
	for _, f := range abi.Exports() {
		want["(export \""+f.Name+"\")"] = f.Signature
	}
	for _, f := range abi.Imports() {
		want["(import \""+abi.ImportModule+"\" \""+f.Name+"\""] = f.Signature
	}
	got := make(map[string]string)
	name := regexp.MustCompile(`\(export "\w+"\)|\(import "\w+" "\w+"`)
	for _, block := range specBlocks(readSpec(t), "wat") {
		for line := range strings.Lines(block.text) {
			got[name.FindString(line)] = watSignature(line)
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("the WAT blocks have\n%v, the code\n%v", got, want)
	}
}

// watSignature turns the parameters and result of a function in WAT into the
// form that abi.Function has.
func watSignature(line string) string {
	var params []string
	for _, m := range regexp.MustCompile(`\(param \$\w+ (\w+)\)`).FindAllStringSubmatch(line, -1) {
		params = append(params, m[1])
	}
	signature := "(" + strings.Join(params, ", ") + ")"
	if m := regexp.MustCompile(`\(result (\w+)\)`).FindStringSubmatch(line); m != nil {
		signature += " -> " + m[1]
	}
	return signature
}

func TestSpecNumbersAreThoseOfTheCode(t *testing.T) {
	spec := readSpec(t)
	statuses := map[string]abi.Status{
		"bad pointer": abi.StatusBadPointer, "bad handle": abi.StatusBadHandle, "bad argument": abi.StatusBadArgument,
		"limit": abi.StatusLimit, "bad message": abi.StatusBadMessage, "unsupported": abi.StatusUnsupported,
	}
	rows := specTable(t, spec, "status", "value", "meaning")
	for _, row := range rows {
		if want, ok := statuses[row[0]]; !ok || row[1] != strconv.Itoa(int(want)) {
			t.Errorf("status %s is %s, in the code %d", row[0], row[1], want)
		}
	}
	if len(rows) != len(statuses) {
		t.Errorf("%d statuses, in the code %d", len(rows), len(statuses))
	}
	kinds := map[string]abi.GuestErrorKind{
		"HANDLER_FAILED": abi.GuestHandlerFailed, "UNKNOWN_HANDLER": abi.GuestUnknownHandler, "BAD_MESSAGE": abi.GuestBadMessage,
		"BAD_CONFIG": abi.GuestBadConfig, "UNSUPPORTED_METHOD": abi.GuestUnsupportedMethod,
	}
	for _, row := range specTable(t, spec, "kind", "value", "when") {
		if want, ok := kinds[row[0]]; !ok || row[1] != strconv.Itoa(int(want)) {
			t.Errorf("guest error %s is %s, in the code %d", row[0], row[1], want)
		}
	}
	limits := specTable(t, spec, "limit", "default", "beyond it")
	if limits[0][1] != strconv.Itoa(abi.InlineBytes) || limits[4][1] != strconv.Itoa(abi.MaxDepth) {
		t.Errorf("limits are %v, in the code %d and %d", limits, abi.InlineBytes, abi.MaxDepth)
	}
	if title := fmt.Sprintf("# The wasmsandbox ABI, version %d.%d\n", abi.VersionMajor, abi.VersionMinor); !strings.HasPrefix(spec, title) {
		t.Errorf("the title isn't %q", title)
	}
}

func TestSpecOutcomesAreThoseOfTheCode(t *testing.T) {
	fields := map[string]abi.OutcomeKind{
		"void": abi.OutcomeVoid, "exec": abi.OutcomeExec, "stream": abi.OutcomeStream,
		"listing": abi.OutcomeListing, "text": abi.OutcomeText, "pty": abi.OutcomePTY,
	}
	var methods []string
	for _, row := range specTable(t, readSpec(t), "method", "kind of outcome") {
		method, ok := abi.ParseMethod(row[0])
		if !ok || method.OutcomeKind() != fields[row[1]] {
			t.Errorf("%s answers with %s, in the code with %v", row[0], row[1], method.OutcomeKind())
		}
		methods = append(methods, row[0])
	}
	if len(methods) != len(abi.Methods()) || !slices.IsSorted(methods) {
		t.Errorf("methods are %v", methods)
	}
}

func TestSpecReasonsAreThoseOfTheCode(t *testing.T) {
	rows := specTable(t, readSpec(t), "reason", "layer", "a plain protobuf reader", "when")
	if len(rows) != len(reasonNames) {
		t.Errorf("%d reasons, in the code %d", len(rows), len(reasonNames))
	}
	for reason, name := range reasonNames {
		i := slices.IndexFunc(rows, func(row []string) bool { return row[0] == name })
		if i < 0 || rows[i][1] != layers[reason] || (rows[i][2] == "refuses") == slices.Contains(stricter, reason) {
			t.Errorf("%s: the row differs from the code", name)
		}
	}
}
