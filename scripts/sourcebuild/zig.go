package sourcebuild

import (
	"context"
	"path/filepath"
	"slices"
)

// buildZig runs the folder's build.zig. Zig's own cache, which is kept outside of the
// folder, knows what has changed since the last build.
func buildZig(ctx context.Context, b *build) ([]byte, error) {
	zig, err := findZig(ctx, b)
	if err != nil {
		return nil, err
	}
	unlock, err := lock(ctx, b.place()+".lock")
	if err != nil {
		return nil, err
	}
	defer unlock()
	output := filepath.Join(b.work, "out")
	command := append(zig, "build", "--release=small", "--prefix", output, "--cache-dir", b.place()+".zig")
	if _, err := b.run(ctx, tool{title: "zig build", command: command}); err != nil {
		return nil, err
	}
	made, err := wasmFiles(output)
	if err != nil {
		return nil, err
	}
	return b.readOne(made, "build.zig has to install one executable for wasm32")
}

func checkZig(ctx context.Context, b *build) error {
	_, err := findZig(ctx, b)
	return err
}

// findZig finds the zig that ZIG names, that of PATH, or the one in Python's package
// ziglang.
func findZig(ctx context.Context, b *build) ([]string, error) {
	if zig := words("ZIG"); len(zig) > 0 {
		if lookPath(zig[0]) == "" {
			return nil, missing(Zig, "there is no "+zig[0]+", which ZIG names", zigWays)
		}
		return zig, nil
	}
	if zig := lookPath("zig"); zig != "" {
		return []string{zig}, nil
	}
	if python := lookPath("python3", "python"); python != "" {
		zig := []string{python, "-m", "ziglang"}
		if _, err := b.ask(ctx, nil, append(slices.Clone(zig), "version")...); err == nil || ctx.Err() != nil {
			return zig, ctx.Err()
		}
	}
	return nil, missing(Zig, "there is no zig", zigWays)
}
