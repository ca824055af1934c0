//go:build race

package guest_test

import "github.com/tetratelabs/wazero"

// engine interprets: compiling a guest takes a minute with the race detector.
var engine = wazero.NewRuntimeConfigInterpreter
