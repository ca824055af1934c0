//go:build !race

package guest_test

import "github.com/tetratelabs/wazero"

// engine compiles.
var engine = wazero.NewRuntimeConfigCompiler
