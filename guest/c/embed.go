// Package c holds the source of the C SDK, which "wasmsandbox new" copies into a
// project: there is no registry to get it from.
package c

import (
	"embed"
	"io/fs"
)

//go:embed src
var source embed.FS

// Files is the SDK's source: what a guest compiles, and the native stand-in of a
// host for its tests.
var Files = folder("src")

func folder(name string) fs.FS {
	files, err := fs.Sub(source, name)
	if err != nil {
		panic(err) // only for a name that isn't a path
	}
	return files
}
