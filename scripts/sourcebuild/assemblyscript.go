package sourcebuild

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// buildAssemblyScript runs the compiler that is installed for the folder, with the
// settings of asconfig.json's target release.
func buildAssemblyScript(ctx context.Context, b *build) ([]byte, error) {
	if err := checkNode(ctx, b); err != nil {
		return nil, err
	}
	packages := nodePackages(b.dir)
	compiler := ""
	if i := slices.IndexFunc(packages, hasAssemblyScript); i >= 0 {
		compiler = filepath.Join(packages[i], "assemblyscript")
	}
	if compiler == "" {
		install := way{"", "run npm install in " + b.dir}
		if lookPath("npm") == "" {
			return nil, missing(AssemblyScript, "its compiler isn't installed, and there is no npm",
				append(slices.Clone(nodeWays), way{"", "then " + install.text}))
		}
		return nil, missing(AssemblyScript, "its compiler isn't installed", []way{install})
	}
	version, err := packageVersion(compiler)
	if err != nil {
		return nil, err
	}
	entries, err := ascEntries(b.dir)
	if err != nil {
		return nil, err
	}
	output := filepath.Join(b.work, "out", "module.wasm")
	if err := os.Mkdir(filepath.Dir(output), 0o700); err != nil {
		return nil, err
	}
	command := slices.Concat([]string{"node", filepath.Join(compiler, "bin", "asc.js")}, entries,
		[]string{"--target", "release", "--outFile", output})
	r := &recipe{
		tool: tool{title: "asc", command: command}, version: version, output: output,
		want: "the compiler has to write to the file that --outFile names",
		addModules: func(d digest) error {
			for _, dir := range packages {
				if err := addPackages(d, dir); err != nil {
					return err
				}
			}
			return nil
		},
	}
	return r.make(ctx, b)
}

func checkNode(context.Context, *build) error {
	if lookPath("node") == "" {
		return missing(AssemblyScript, "there is no node", nodeWays)
	}
	return nil
}

// nodePackages are the folders node_modules that Node.js looks for packages in.
func nodePackages(dir string) (found []string) {
	for {
		path := filepath.Join(dir, "node_modules")
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			found = append(found, path)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return found
		}
		dir = parent
	}
}

func hasAssemblyScript(packages string) bool {
	_, err := os.Stat(filepath.Join(packages, "assemblyscript", "bin", "asc.js"))
	return err == nil
}

func packageVersion(dir string) (string, error) {
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return "", err
	}
	var p struct{ Name, Version string }
	if err := json.Unmarshal(data, &p); err != nil {
		return "", fmt.Errorf("%s: %w", filepath.Join(dir, "package.json"), err)
	}
	return p.Name + " " + p.Version, nil
}

// ascEntries are the files to compile, unless asconfig.json names them.
func ascEntries(dir string) ([]string, error) {
	data, err := os.ReadFile(filepath.Join(dir, "asconfig.json"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var settings struct{ Entries []string }
	if err == nil {
		if err := json.Unmarshal(data, &settings); err != nil {
			return nil, fmt.Errorf("asconfig.json: %w", err)
		}
	}
	if len(settings.Entries) > 0 {
		return nil, nil
	}
	return []string{"assembly/index.ts"}, nil
}

// addPackages puts the packages in that the compiler may read source from: their
// versions, and for those that are linked from elsewhere their source.
func addPackages(d digest, packages string) error {
	entries, err := os.ReadDir(packages)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(packages, e.Name())
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			if target, err := filepath.EvalSymlinks(path); err == nil {
				d.add("link", e.Name())
				if err := d.addFolder(target); err != nil {
					return err
				}
			}
		case e.IsDir() && e.Name()[0] == '@':
			if err := addPackages(d, path); err != nil {
				return err
			}
		case e.IsDir() && e.Name()[0] != '.':
			if version, err := packageVersion(path); err == nil {
				d.add("package", e.Name(), version)
			}
		}
	}
	return nil
}
