// Package metering rewrites WebAssembly modules so that they count what they do:
// instructions as fuel, and, if wanted, how deep their calls nest. An endless
// loop ends, a cancelled context is noticed, and a limit is the same number of
// instructions on every machine and every engine. The package knows no engine.
//
// [Rewrite] takes a core module with all that WebAssembly 2.0 has, and tail calls
// and extended constant expressions of 3.0. It refuses, with an [*Error] that
// names the opcode, what can't be metered yet. A rewritten module computes what
// the original does.
//
// # What is counted
//
// An instruction is one unit of fuel, but for block, loop, else, end and nop,
// which are none, and ref.func and table.grow, for which engines call functions of their
// own, and which are 32. On top of that
//
//   - memory.copy, memory.fill and memory.init are a unit for each 8 bytes,
//   - table.copy, table.fill and table.init are a unit for each entry,
//   - memory.grow is 8192 units for each new page, and table.grow a unit for each
//     new entry, if it does grow.
//
// Code is charged in pieces, each of which runs to its end once it has begun. A
// piece of at most four units that may or may not run, such as a short arm of an
// if, is charged with the code before it, which takes eight units of those or as
// many as it has itself. An if that looks at what a call has just returned, and
// leaves the function, is taken for one that doesn't: code by Go's compiler has one
// after each call, for the case that another goroutine is to run. So what is charged
// is never less than what has run, and hardly more: 0.4 % for a guest in C, 15 % for
// one in Go. What a trap has left undone of its piece is charged as well.
//
// What host functions do isn't counted by the module: a host may take it from the global
// while a guest calls one, and then has to do what the import does if that leaves less
// than 0. Package metered does so, and says what it costs.
//
// # Where it is noticed
//
// At the start of functions that call others of the module, at each round of
// loops, and at operations that are charged by length, a guest without fuel calls
// the import. (A function that always comes to a loop before its first call has the
// loop for that.) Between two such places only code of limited length runs, so a call
// may use somewhat more than its limit. How much more is the same everywhere.
//
// A memory.copy or memory.fill of many megabytes calls the import after each of them,
// with fuel left, as it takes too long otherwise: so the host gets to look at the call.
// It works in pieces for that, in one of two functions that a module with a memory gets,
// which have the indices after all others.
//
// # What is refused
//
// A small module can keep a compiler busy for hours: a function with very many blocks,
// loops, or branches, or with some and very many locals. Rewrite estimates what the code
// takes, and refuses a module with much more of it than any real one has for its size.
// A module can take much memory to compile as well, without a branch: divisions, numbers
// that are truncated, and calls take ten to a hundred times what other code does, the more
// so in one function. It is refused in the same way, and so are very many functions, types,
// exports or other parts, and a function of more than a megabyte.
//
// # How a host drives a rewritten module
//
// The module imports one function, [ImportModule] and [ImportRefill], of type
// (i64) -> i64, after its own imports. It exports the mutable global [ExportFuel],
// an i64. A [Tank] does the accounting:
//
//   - When the module is instantiated the global is 0, which is right for a Tank
//     that hasn't been filled yet: a start function asks for fuel at its first check.
//   - Before each call the host looks at the context and sets the global to
//     [Tank.Fill]. Without that the guest goes on with what is left, and the limit
//     is one of both calls together. [Tank.Resume] goes on with it as well, and counts
//     for the next call alone, which saves writing the global.
//   - The guest calls the import with the fuel it has, which is less than 0, but for what
//     is between the pieces of a long copy. The host looks at the context again and returns
//     [Tank.Refill], which is what the guest has then. If that were less than 0, the guest
//     would ask again at once.
//   - The import ends the call by failing, in the way its engine has for that.
//     The guest's state is then as a trap leaves it: it shouldn't be called again.
//   - After the call, [Tank.Used] of the global is the fuel that it has used.
//
// With wazero, the import is a host function, which ends the call by a panic with
// an error. The error that the call returns wraps it:
//
//	refill := api.GoFunc(func(ctx context.Context, stack []uint64) {
//		if err := ctx.Err(); err != nil {
//			panic(err)
//		}
//		fuel, err := tank.Refill(int64(stack[0]))
//		if err != nil {
//			panic(err)
//		}
//		stack[0] = uint64(fuel)
//	})
//	i64 := []api.ValueType{api.ValueTypeI64}
//	runtime.NewHostModuleBuilder(metering.ImportModule).NewFunctionBuilder().
//		WithGoFunction(refill, i64, i64).Export(metering.ImportRefill).Instantiate(ctx)
//	…
//	fuel := module.ExportedGlobal(metering.ExportFuel).(api.MutableGlobal) // keep it
//	fuel.Set(uint64(tank.Fill()))
//	err := function.CallWithStack(ctx, stack)
//	used := tank.Used(int64(fuel.Get()))
//
// A runtime with several instances finds the tank in the context. The runtime
// needs no WithCloseOnContextDone. With an engine whose host functions return
// errors or traps, the import returns them.
//
// # Depth
//
// With [Options.MaxDepth] the module also exports [ExportDepth], an i32 that holds
// how many calls deeper it may go. A call that is too deep executes unreachable
// and leaves the global below 0, which tells it from any other trap. A host that
// goes on with an instance after a failed call has to set the global to MaxDepth
// again. Calls of functions that call nothing but imports don't count, neither do
// those of imports. The engine's own stack has to be large enough for MaxDepth.
//
// # Memory and tables
//
// [Options.MaxMemoryPages] and [Options.MaxTableEntries] lower what the module says its
// memory and its tables may grow to.
//
// # Reports
//
// With [Options.ReportBreaches] a guest that asks for more memory than the module or the
// engine gives calls the import [ImportRefused], one that asks for more entries of a
// table [ImportRefusedTable], and one whose calls nest too deep [ImportTooDeep]. So a
// host can tell what a guest has died of, even in its start function, whose globals
// nobody gets to see.
//
// # What else changes
//
// Functions that aren't imported have an index that is higher by one, or four. Exports,
// elements, constants, the start function and the name section follow, so that
// traces name the same functions as before. Sections that speak of places in the
// code are left out, as their places would be wrong: those of DWARF, source maps,
// relocations, branch hints. [OffsetMap] leads from an offset in a trace to the
// one that the original's debug information speaks of. All other custom sections
// are kept as they are.
//
// Where engines differ from the specification, so that the same module would be another
// on each, it is written so that they can't: opcodes of vectors are as short as can be, and
// memory.init drops a segment first that has been dropped already. Where arithmetic on floats may
// give any NaN, it gives the canonical one, without a sign, wherever the guest can see its bits. What moves
// floats keeps each bit. None of that is counted as fuel.
//
// With [Options.ExportGlobals], an instance's mutable globals are exported, so
// that the memory, the tables and these are all of its state. [Result.Volatile] says
// of which modules the tables, or something else that can't be reached, change.
package metering
