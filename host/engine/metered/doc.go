// Package metered makes an engine whose guests can be limited, ended and put back,
// out of one whose guests can't. Package metering rewrites each module so that it
// counts what it does; a guest whose fuel is used up asks for more through an import,
// and that is where its context is looked at. So a call needs no goroutine, and code
// runs nearly as fast as without.
//
// The engine keeps the contract of package engine. What it has besides is reached
// through [Of], which gives the [Meter] of an instance:
//
//   - [Meter.SetLimit] bounds the fuel of the next calls, and [Meter.Used] is what the
//     last one took. A call that needs more fails with a *metering.OutOfFuelError, at
//     the same instruction on every engine and machine.
//   - A call that nests too deep fails with a [*DepthError], and one that traps after it
//     was refused memory or entries of a table with a [*MemoryError] or a [*TableError].
//   - [Meter.State] copies the state of an instance, and [Meter.Restore] puts it, or
//     another instance of the same module, on this engine or another, into that state.
//
// # What host functions cost
//
// A guest pays for what is done for it, so that a limit of fuel bounds the time that its
// calls take, however much a host function does for one instruction. Each call of a host
// function costs [CallPrice], and so does being refused memory or entries of a table. The
// function charges the rest with [engine.Charge]: those
// of package wasi what its documentation says, and those of the ABI a unit for each 8 bytes
// of a log, a report or a blob that they move. What is owed for that is taken from the
// guest's fuel once it is some thousand units, and at the end of the call: by so much a
// guest may go over its limit before it is noticed. It is noticed at the same call of a
// host function on every engine.
//
// # Limits of code
//
// Limits that modules are compiled with are in [Limits], for the whole engine in
// [Config] or for one module with [Engine.CompileWithin].
//
// # Between runs
//
// With [Config.CacheDir], rewritten modules are kept on the disk. The engine inside has a
// cache of its own for what it makes of them.
package metered
