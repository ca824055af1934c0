// Package zig holds the SDK for guests in Zig, for copying into a new project.
package zig

import "embed"

// Files are the SDK's files that a guest is built with: build.zig, build.zig.zon and
// src. Tests and the kitchen-sink guest are left out.
//
//go:embed build.zig build.zig.zon src/*.zig
var Files embed.FS
