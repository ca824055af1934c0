// Package sourcebuild builds WebAssembly modules from folders of source, with the
// compilers that are installed.
//
//	built, err := sourcebuild.Build(ctx, "guests/greeter", sourcebuild.Options{})
//	…
//	module, err := host.Load(ctx, "greeter", built.Wasm)
//
// The language is found out by the files of the folder, as [Detect] does, and the
// build is the language's usual one. What was built is kept in the folder "builds"
// of [host.CacheDir], and built again only after a change:
//
//   - Go, Rust and Zig: the go command, cargo and zig know what has changed.
//   - C and AssemblyScript: a build is known by a digest of all that went into it,
//     the compiler's version and the command included.
//
// A file that any of these decisions needs may be outside of the folder, such as a
// header, or a package that is named by its path.
package sourcebuild
