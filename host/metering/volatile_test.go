package metering_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// changing is a module with a table, an element and a data segment, both passive, and
// two functions: the first has the code, the second calls what it is told to.
func changing(code []byte, more ...[]byte) []byte {
	body := slicesOf([]byte{0}, code, []byte{0x0b})
	sections := [][]byte{
		header,
		sectionOf(1, 1, 0x60, 0, 0),
		sectionOf(3, 2, 0, 0),
		sectionOf(4, 1, 0x70, 0, 3),
		sectionOf(5, 1, 0, 1),
	}
	sections = append(sections, more...)
	return slicesOf(append(sections,
		sectionOf(9, 1, 1, 0, 1, 1),
		sectionOf(12, 1),
		sectionOf(10, slicesOf([]byte{2}, uleb(len(body)), body, []byte{2, 0, 0x0b})...),
		sectionOf(11, 1, 1, 1, 'x'))...)
}

var (
	exportsMemory = sectionOf(7, 1, 6, 'm', 'e', 'm', 'o', 'r', 'y', 2, 0)
	startsFirst   = sectionOf(8, 0)

	setsTable = []byte{0x41, 0, 0xd0, 0x70, 0x26, 0}              // i32.const 0, ref.null func, table.set 0
	dropsData = []byte{0xfc, 9, 0}                                // data.drop 0
	initTable = []byte{0x41, 0, 0x41, 0, 0x41, 1, 0xfc, 12, 0, 0} // table.init
)

func TestWhatChangesTablesOrDropsSegmentsIsVolatile(t *testing.T) {
	for name, code := range map[string][]byte{
		"table.set":  setsTable,
		"table.init": initTable,
		"table.copy": {0x41, 0, 0x41, 0, 0x41, 1, 0xfc, 14, 0, 0},
		"table.fill": {0x41, 0, 0xd0, 0x70, 0x41, 1, 0xfc, 17, 0},
		"table.grow": {0xd0, 0x70, 0x41, 1, 0xfc, 15, 0, 0x1a},
		"data.drop":  dropsData,
		"elem.drop":  {0xfc, 13, 0},
	} {
		wasm := changing(code, exportsMemory)
		wantCompiles(t, wasm, metering.Options{ReportBreaches: true})
		wantVolatile(t, wasm, "its code uses "+name)
		wantVolatile(t, changing(slicesOf([]byte{0x00}, code), exportsMemory)) // after unreachable
	}
	for name, code := range map[string][]byte{
		"table.get":   {0x41, 0, 0x25, 0, 0x1a},
		"table.size":  {0xfc, 16, 0, 0x1a},
		"memory.init": {0x41, 0, 0x41, 0, 0x41, 1, 0xfc, 8, 0, 0},
	} {
		t.Run(name, func(t *testing.T) { wantVolatile(t, changing(code, exportsMemory)) })
	}
}

func TestReasonsAreGivenOnce(t *testing.T) {
	wantVolatile(t, changing(slicesOf(setsTable, dropsData, setsTable, dropsData), exportsMemory),
		"its code uses data.drop", "its code uses table.set")
}

func TestWhatOnlyTheStartFunctionChangesIsNotVolatile(t *testing.T) {
	code := slicesOf(setsTable, dropsData)
	wantVolatile(t, changing(code, exportsMemory, startsFirst))

	exported := sectionOf(7, 2, 6, 'm', 'e', 'm', 'o', 'r', 'y', 2, 0, 1, 'f', 0, 0)
	reasons := []string{"its code uses data.drop", "its code uses table.set"}
	wantVolatile(t, changing(code, exported, startsFirst), reasons...)
	wantVolatile(t, changing(slicesOf(code, []byte{0x10, 0}), exportsMemory, startsFirst), reasons...)

	second := sectionOf(8, 1) // another function is the one that starts
	wantVolatile(t, changing(code, exportsMemory, second), reasons...)
}

// What it changes may then be something else in another instance.
func TestAStartFunctionThatAsksBeforeItChangesATableIsVolatile(t *testing.T) {
	for name, code := range map[string][]byte{
		"a call":              {0x10, 1},
		"a call by the table": {0x41, 0, 0x11, 0, 0},
		"memory.grow":         {0x41, 1, 0x40, 0, 0x1a},
	} {
		wasm := changing(slicesOf(code, setsTable), exportsMemory, startsFirst)
		wantCompiles(t, wasm, metering.Options{ReportBreaches: true})
		t.Run(name, func(t *testing.T) { wantVolatile(t, wasm, "its code uses table.set") })
		wantVolatile(t, changing(code, exportsMemory, startsFirst)) // and changes none
	}
	grows := []byte{0xd0, 0x70, 0x41, 1, 0xfc, 15, 0, 0x1a}
	wantVolatile(t, changing(grows, exportsMemory, startsFirst), "its code uses table.grow")
}

func TestStateThatNoExportLeadsToIsVolatile(t *testing.T) {
	wantVolatile(t, changing(nil), `it doesn't export its memory as "memory"`)
	wantVolatile(t, changing(nil, sectionOf(7, 1, 1, 'm', 2, 0)), `it doesn't export its memory as "memory"`)
	wantVolatile(t, changing(nil, sectionOf(6, 3, 0x7f, 1, 0x41, 0, 0x0b, 0x70, 1, 0xd0, 0x70, 0x0b, 0x70, 0, 0xd0, 0x70, 0x0b), exportsMemory),
		"its global 1 is a reference that can change")
	vector := slicesOf([]byte{1, 0x7b, 1, 0xfd, 12}, make([]byte, 16), []byte{0x0b})
	wantVolatile(t, changing(nil, sectionOf(6, vector...), exportsMemory), "its global 0 is a vector that can change")
	wantVolatile(t, header)
}

func wantVolatile(t *testing.T, wasm []byte, want ...string) {
	t.Helper()
	result, err := metering.Rewrite(wasm, metering.Options{ExportGlobals: true})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(result.Volatile, want) {
		t.Errorf("got %q, want %q", result.Volatile, want)
	}
}

func TestGuestsAreNotVolatile(t *testing.T) {
	files, err := filepath.Glob("../../testdata/guests/kitchen/*.wasm")
	if err != nil || len(files) == 0 {
		t.Fatalf("guests %v, %v", files, err)
	}
	for _, file := range files {
		wasm, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		wantVolatile(t, wasm)
	}
	wantVolatile(t, goGuest(t, "./testdata/compute"))
}
