package js

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	_ "unsafe" // for go:linkname

	_ "github.com/fastschema/qjs" // embeds the interpreter
)

// quickJS is QuickJS-NG as a WebAssembly module, which the package qjs embeds and
// keeps to itself. It is linked by name, so that there is no copy of it here.
//
//go:linkname quickJS github.com/fastschema/qjs.wasmBytes
var quickJS []byte

// quickJSDigest is the SHA-256 of the one module that the glue was written for.
const quickJSDigest = "88fcbeead33cca3ec8394feb0fb3eec8047ec9ac5062aba7a63799cee11989b7"

// checkQuickJS refuses another version of the interpreter: its functions might
// have other types or meanings.
func checkQuickJS(wasm []byte) error {
	if sum := sha256.Sum256(wasm); hex.EncodeToString(sum[:]) != quickJSDigest {
		return fmt.Errorf("js: the interpreter in github.com/fastschema/qjs is not that of v0.0.6: its SHA-256 is %x", sum)
	}
	return nil
}
