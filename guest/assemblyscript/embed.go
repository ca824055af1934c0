// Package assemblyscript has the source of the SDK for guests in AssemblyScript,
// as a new project gets it.
package assemblyscript

import "embed"

// Files are the SDK's npm package, without its tests and what only they need.
//
//go:embed package.json README.md index.ts exports.ts assembly testing
var Files embed.FS
