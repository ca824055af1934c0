// Package wasmtime runs guests on wasmtime, an engine in Rust that takes longer to
// compile a guest, and less time to run it. It needs cgo, and links a static library
// of some 20 MB; where cgo is off the package is empty. Only who imports it pays for
// it.
//
// [New] makes the engine; all else is reached through the interfaces of package
// engine. An embedder gives it to host.WithEngine, wrapped by package metered so
// that contexts end guests at no cost for each call, and NaNs are the same on all engines:
//
//	host.WithEngine(func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
//		return metered.Config{CacheDir: dir}.New(ctx, imports, func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
//			return wasmtime.New(ctx, wasmtime.Config{CacheDir: dir, Uninterruptible: true, AnyNaNs: true}, imports)
//		})
//	})
//
// The module wasmtime-go brings the library, and the flags to link it. Its Go API
// isn't used: it allocates for each value, frees by finalizer, and has no way to
// canonicalise NaNs. So the adapter speaks to the C API itself, by the functions that
// api.h declares; a test compares these with the headers of the library.
//
// What differs from wazero:
//
//   - NaNs are the same on every processor, unless [Config.AnyNaNs] is set. Those of
//     guests that are metered are so on each engine.
//   - Guests have 63 MiB of stack, about as much as wazero gives them; on Windows
//     256 KiB, since there they use that of the thread.
//   - A stack overflow has a stack, which is cut off after 20 frames rather than 30.
//   - No value of a reference or vector type passes between host and guest.
//   - Constant expressions may add, subtract and multiply.
//   - A compilation that is given up goes on in the background to its end.
//   - A bug in the engine ends the process, where one of wazero is an error.
//   - A view of a memory must not be used after its instance was closed: it points to
//     memory that is gone. After its engine was closed it may be.
package wasmtime
