package main

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// An observer keeps what an engine compiled, so that a module can be shown that
// the host then turns down.
type observer struct {
	engine.Engine
	module engine.Module
}

// newRuntime makes a runtime whose compilations are observed.
func (o *observer) newRuntime(ctx context.Context, entry *engineEntry) (*host.Runtime, error) {
	return host.NewRuntime(ctx, host.WithEngine(
		func(ctx context.Context, imports []engine.HostFunc) (_ engine.Engine, err error) {
			o.Engine, err = entry.start(ctx, imports)
			return o, err
		}))
}

// Compile compiles, and keeps the module.
func (o *observer) Compile(ctx context.Context, wasm []byte) (engine.Module, error) {
	module, err := o.Engine.Compile(ctx, wasm)
	if err == nil {
		o.module = module
	}
	return module, err
}

// awaitModule is awaitFile for a module, of which a folder may have the source.
func awaitModule(ctx context.Context, path string) ([]byte, error) {
	wasm, err := awaitFile(ctx, path, maxModule)
	if errors.As(err, new(*folderError)) {
		what := "; build makes a module of source"
		if hasScript(path) {
			what = "; the folder has a script, which validate checks"
		}
		return nil, errors.New(path + ": is a folder, and a module is wanted: a .wasm file, or a .js file" + what)
	}
	return wasm, err
}

// memoryInfo is the size of a memory in pages of 64 KiB.
type memoryInfo struct {
	MinPages uint64  `json:"min_pages"`
	MaxPages *uint64 `json:"max_pages"` // null: no limit of its own
}

// memoryOf reads the memory section of a valid module. It is nil when the module
// has no memory of its own.
func memoryOf(wasm []byte) *memoryInfo {
	const header, memorySection = 8, 5
	for rest := wasm[min(header, len(wasm)):]; len(rest) > 1; {
		id := rest[0]
		size, n := binary.Uvarint(rest[1:])
		if n <= 0 || size > uint64(len(rest)-1-n) {
			return nil
		}
		body := rest[1+n:][:size]
		if id == memorySection {
			return readMemory(body)
		}
		rest = rest[1+n:][size:]
	}
	return nil
}

// readMemory reads the limits of the first memory.
func readMemory(section []byte) *memoryInfo {
	var values [4]uint64 // how many memories, flags, minimum, maximum
	for i := range values {
		if i == 1 && values[0] == 0 || i == 3 && values[1]&1 == 0 {
			break
		}
		value, n := binary.Uvarint(section)
		if n <= 0 {
			return nil
		}
		values[i], section = value, section[n:]
	}
	switch {
	case values[0] == 0:
		return nil
	case values[1]&1 == 0:
		return &memoryInfo{MinPages: values[2]}
	default:
		return &memoryInfo{MinPages: values[2], MaxPages: &values[3]}
	}
}
