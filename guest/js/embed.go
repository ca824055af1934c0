package js

import "embed"

// Files is what editors want to know of the module "wasmsandbox"; new projects get a
// copy. Programs run without it.
//
//go:embed wasmsandbox.d.ts
var Files embed.FS
