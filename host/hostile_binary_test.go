package host_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// These modules no assembler makes, or would make too large to be kept.

const wasmHeader = "\x00asm\x01\x00\x00\x00"

// wasmSection is a section of a module.
func wasmSection(id byte, content ...byte) []byte {
	return append(binary.AppendUvarint([]byte{id}, uint64(len(content))), content...)
}

// wasmName is a text as modules have it.
func wasmName(name string) []byte {
	return append(binary.AppendUvarint(nil, uint64(len(name))), name...)
}

// wasmModule is a module of these sections.
func wasmModule(sections ...[]byte) []byte {
	return append([]byte(wasmHeader), bytes.Join(sections, nil)...)
}

// functionSections declare n functions without parameters and results, each with the
// body.
func functionSections(n int, body ...byte) []byte {
	count := binary.AppendUvarint(nil, uint64(n))
	code := append(binary.AppendUvarint(nil, uint64(len(body))), body...)
	return slices.Concat(
		wasmSection(1, 1, 0x60, 0, 0),
		wasmSection(3, append(bytes.Clone(count), make([]byte, n)...)...),
		wasmSection(10, append(count, bytes.Repeat(code, n)...)...))
}

// brokenModules are no modules that the engine takes.
var brokenModules = map[string]struct {
	wasm []byte
	text string // part of the error
}{
	"nothing":                  {nil, ""},
	"half a header":            {[]byte(wasmHeader[:5]), ""},
	"text":                     {[]byte("(module)"), ""},
	"a component":              {[]byte("\x00asm\x0d\x00\x01\x00"), "component"},
	"version 2":                {[]byte("\x00asm\x02\x00\x00\x00"), ""},
	"an executable":            {[]byte("\x7fELF\x02\x01\x01"), ""},
	"an unknown section":       {wasmModule(wasmSection(99)), ""},
	"a section cut short":      {[]byte(wasmHeader + "\x01\x7f\x01"), ""},
	"a length that overflows":  {[]byte(wasmHeader + "\x01\xff\xff\xff\xff\xff\xff\x01"), ""},
	"a count beyond its bytes": {wasmModule(wasmSection(1, 0xff, 0xff, 0xff, 0xff, 0x0f)), ""},
	"sections out of order":    {wasmModule(wasmSection(10, 0), wasmSection(1, 0)), ""},
	"two type sections":        {wasmModule(wasmSection(1, 0), wasmSection(1, 0)), ""},
	"functions without code":   {wasmModule(wasmSection(1, 1, 0x60, 0, 0), wasmSection(3, 1, 0)), ""},
	"a type that isn't there":  {wasmModule(wasmSection(3, 1, 9), wasmSection(10, 1, 2, 0, 0x0b)), ""},
	"a body that ends early":   {wasmModule(functionSections(1, 0)), ""},
	"a stack that underflows":  {wasmModule(functionSections(1, 0, 0x1a, 0x0b)), ""},
	"a call of no function":    {wasmModule(functionSections(1, 0, 0x10, 0x7f, 0x0b)), ""},
	"a jump out of no block":   {wasmModule(functionSections(1, 0, 0x0c, 0x7f, 0x0b)), ""},
	"a reserved opcode":        {wasmModule(functionSections(1, 0, 0xff, 0x0b)), ""},
	"too many locals":          {wasmModule(functionSections(1, 1, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x7e, 0x0b)), "locals"},
	"locals that overflow":     {wasmModule(functionSections(1, 2, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x7e, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x7e, 0x0b)), "locals"},
	"too many locals in all":   {wasmModule(functionSections(300, 1, 0xc0, 0xb8, 0x02, 0x7e, 0x0b)), "locals"},
	"blocks nested too deeply": {wasmModule(functionSections(1, slices.Concat(
		[]byte{0}, bytes.Repeat([]byte{0x02, 0x40}, 20_000), bytes.Repeat([]byte{0x0b}, 20_001))...)), "large"},
	"two exports of one name": {wasmModule(wasmSection(5, 1, 0, 1),
		wasmSection(7, slices.Concat([]byte{2}, wasmName("memory"), []byte{2, 0}, wasmName("memory"), []byte{2, 0})...)), ""},
	"an export that isn't text": {wasmModule(wasmSection(5, 1, 0, 1),
		wasmSection(7, slices.Concat([]byte{1}, wasmName("\xff\xfe"), []byte{2, 0})...)), ""},
	"an import that isn't text": {wasmModule(wasmSection(1, 1, 0x60, 0, 0),
		wasmSection(2, slices.Concat([]byte{1}, wasmName("wasmsandbox_v1"), wasmName("\xc0\x80"), []byte{0, 0})...)), ""},
	"an export of no memory":      {wasmModule(wasmSection(7, slices.Concat([]byte{1}, wasmName("memory"), []byte{2, 0})...)), ""},
	"a start with parameters":     {wasmModule(wasmSection(1, 1, 0x60, 1, 0x7f, 0), wasmSection(3, 1, 0), wasmSection(8, 0), wasmSection(10, 1, 2, 0, 0x0b)), ""},
	"data longer than it is":      {wasmModule(wasmSection(5, 1, 0, 1), wasmSection(11, 1, 0, 0x41, 0, 0x0b, 0xff, 0xff, 0xff, 0xff, 0x0f)), ""},
	"a memory that shrinks":       {wasmModule(wasmSection(5, 1, 1, 2, 1)), ""},
	"a custom section cut short":  {append([]byte(wasmHeader), 0, 0x7f), ""},
	"a custom section, no name":   {wasmModule(wasmSection(0)), ""},
	"a custom name that is wrong": {wasmModule(wasmSection(0, 0x7f, 'x')), ""},
}

func TestBrokenModulesAreRefused(t *testing.T) {
	w := newHostileWorld(t)
	for name, test := range brokenModules {
		t.Run(name, func(t *testing.T) {
			c := refusedCase{guest: name, kind: host.ModuleInvalid, text: test.text}
			for range 2 {
				c.load(t, w, test.wasm)
			}
		})
	}
	w.checkHonest(t)
}

// A flood is much of what no engine needs. The honest guest behind it works as ever,
// or the module is refused.
func TestFloodsOfWhatNoEngineNeedsDoNoHarm(t *testing.T) {
	w := newHostileWorld(t)
	honest := hostileWasm(t, "honest")
	many := strings.Repeat("long name ", 100)
	functionNames := binary.AppendUvarint(nil, 100_000)
	for i := range 100_000 {
		functionNames = append(binary.AppendUvarint(functionNames, uint64(i)), wasmName("f\xff")...)
	}
	for name, flood := range map[string][]byte{
		"custom sections":        bytes.Repeat(wasmSection(0, wasmName("x")...), 200_000),
		"a large custom section": wasmSection(0, append(wasmName("x"), make([]byte, 8<<20)...)...),
		"custom names":           bytes.Repeat(wasmSection(0, wasmName(many)...), 1000),
		"names of no functions":  wasmSection(0, slices.Concat(wasmName("name"), wasmSection(1, functionNames...))...),
		"names without number": wasmSection(0, append(wasmName("name"), // behind an empty part, which wazero reads as what follows
			"\x00\x00\x09\x0eaaaaaaaa\x01\x04\xff\xff\xff\xff\x0f\x00"...)...),
		"names of no sense": wasmSection(0, append(wasmName("name"), bytes.Repeat([]byte{0xff}, 1000)...)...),
		"name sections":     bytes.Repeat(wasmSection(0, slices.Concat(wasmName("name"), wasmSection(0, wasmName("m")...))...), 1000),
		"debug information": wasmSection(0, append(wasmName(".debug_info"), bytes.Repeat([]byte{0x7f}, 1<<20)...)...),
	} {
		t.Run(name, func(t *testing.T) {
			module, err := w.Load(t.Context(), name, append(bytes.Clone(honest), flood...))
			if err != nil {
				_ = wantModuleError(t, err, host.ModuleInvalid)
				return
			}
			r, err := module.Responder("r")
			if err != nil {
				t.Fatal(err)
			}
			s := w.session(t, host.Step{Method: host.MethodExec, Outcome: host.Respond(r)})
			if result, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil || string(result.Stdout) != "fine" {
				t.Errorf("it answers %q, %v", result.Stdout, err)
			}
		})
	}
	w.checkHonest(t)
}

// Modules that would keep a compiler busy for minutes or hours are refused at once.
func TestCompileBombsAreRefused(t *testing.T) {
	w := newHostileWorld(t)
	const block, loop, end = "\x02\x40\x20\x00\x0d\x00\x0b", "\x03\x40\x20\x00\x0d\x00\x0b", "\x0b"
	oneLocal, manyLocals := "\x01\x01\x7f", "\x01\x88\x27\x7f" // of type i32; 5000
	read := strings.Repeat("\x20\x80\x20\x1a", 100)
	for name, body := range map[string]string{
		"100 000 blocks":                   oneLocal + strings.Repeat(block, 100_000),
		"100 000 arms":                     oneLocal + strings.Repeat("\x20\x00\x04\x40\x0b", 100_000),
		"9000 loops":                       oneLocal + strings.Repeat(loop, 9_000),
		"9000 nested loops":                oneLocal + strings.Repeat("\x03\x40", 9_000) + strings.Repeat(end, 9_000),
		"50 000 fills":                     oneLocal + strings.Repeat("\x41\x00\x41\x00\x41\x00\xfc\x0b\x00", 50_000),
		"2000 blocks of 5000 locals":       manyLocals + strings.Repeat(block, 2_000) + read,
		"1000 loops in 5000 locals":        manyLocals + strings.Repeat("\x03\x40", 1_000) + read + strings.Repeat(end, 1_000),
		"100 000 calls in 5000 locals":     manyLocals + strings.Repeat("\x10\x00", 100_000) + read,
		"31 000 branches out of one block": oneLocal + "\x02\x40" + strings.Repeat("\x20\x00\x0d\x00", 31_000) + end,
		"900 tables of 1000 jumps":         oneLocal + strings.Repeat("\x02\x40\x20\x00\x0e\xe7\x07"+strings.Repeat("\x00", 1000)+end, 900),
		"9 nests of 5000 blocks":           oneLocal + strings.Repeat(strings.Repeat("\x02\x40", 5_000)+strings.Repeat("\x20\x00\x0d\x00\x0b", 5_000), 9),
	} {
		t.Run(name, func(t *testing.T) {
			c := refusedCase{guest: name, kind: host.ModuleInvalid, text: "units of work to compile"}
			c.load(t, w, wasmModule(functionSections(1, []byte(body+end)...)))
		})
	}
	w.checkHonest(t)
}

// Modules that would take gigabytes of memory to compile are refused at once.
func TestModulesThatTakeMuchMemoryToCompileAreRefused(t *testing.T) {
	w := newHostileWorld(t)
	for name, code := range map[string]string{
		"160 000 truncations": "\x20\x00\xb2\xa8\x1a",
		"160 000 divisions":   "\x20\x00\x20\x00\x6d\x1a",
		"160 000 remainders":  "\x20\x00\x20\x00\x70\x1a",
		"160 000 calls":       "\x10\x00",
		"160 000 references":  "\xd2\x00\x1a",
	} {
		t.Run(name, func(t *testing.T) {
			body := "\x01\x01\x7f" + strings.Repeat(code, 160_000) + "\x0b"
			c := refusedCase{guest: name, kind: host.ModuleInvalid, text: "bytes of memory to compile"}
			c.load(t, w, wasmModule(functionSections(1, []byte(body)...)))
		})
	}
	w.checkHonest(t)
}

// Modules that take long to compile are compiled, or refused; none is a guest.
func TestLargeModulesAreCompiledOrRefused(t *testing.T) {
	w := newHostileWorld(t)
	branches := slices.Concat([]byte{0, 0x02, 0x40, 0x41, 0, 0x0e}, binary.AppendUvarint(nil, 5000), make([]byte, 5001), []byte{0x0b, 0x0b})
	for name, wasm := range map[string][]byte{
		"10 000 functions":          wasmModule(functionSections(10_000, 0, 0x0b)),
		"functions of 50 000 local": wasmModule(functionSections(3, 1, 0xd0, 0x86, 0x03, 0x7e, 0x0b)),
		"a function of 300 000 nop": wasmModule(functionSections(1, slices.Concat([]byte{0}, bytes.Repeat([]byte{0x01}, 300_000), []byte{0x0b})...)),
		"a table of 5000 jumps":     wasmModule(functionSections(1, branches...)),
		"4 MiB of data":             wasmModule(wasmSection(5, 1, 0, 100), wasmSection(11, slices.Concat([]byte{1, 0, 0x41, 0, 0x0b}, binary.AppendUvarint(nil, 4<<20), make([]byte, 4<<20))...)),
		"100 000 pieces of data":    wasmModule(wasmSection(5, 1, 0, 1), wasmSection(11, append(binary.AppendUvarint(nil, 100_000), bytes.Repeat([]byte{0, 0x41, 0, 0x0b, 0}, 100_000)...)...)),
	} {
		t.Run(name, func(t *testing.T) {
			c := refusedCase{guest: name, kind: host.ModuleMissingExport, text: "wasmsandbox_abi_v1"}
			c.load(t, w, wasm)
		})
	}
	w.checkHonest(t)
}
