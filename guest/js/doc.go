// Package js runs guests that are written in JavaScript, without a compiler: [Load]
// takes the source of an ES module.
//
// The guest is QuickJS-NG, which the Go module github.com/fastschema/qjs has as
// WebAssembly. When it is first needed, [Interpreter] links it with the functions
// of the folder glue, which speak the ABI, and with the files of the folder runtime, which
// are the codec and what authors import. All of that runs inside the guest: the
// host knows no JavaScript. The program itself is the guest's standard input, so
// that the interpreter is compiled once for all programs; [Bundle] puts it into the
// module instead.
package js
