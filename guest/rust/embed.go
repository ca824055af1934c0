// Package rust holds the source of the Rust SDK, which new projects get a copy of.
package rust

import "embed"

// Files is the crate without its tests: what a project names as a path dependency.
//
//go:embed Cargo.toml README.md src
var Files embed.FS
