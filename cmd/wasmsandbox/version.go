package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// modulePath is the module that this command belongs to.
const modulePath = "github.com/wasmsandbox/wasmsandbox"

const engineModule = "github.com/tetratelabs/wazero"

// A versionInfo is what the command is made of.
type versionInfo struct {
	Version       string `json:"version"`
	Go            string `json:"go"`
	Platform      string `json:"platform"`
	ABI           string `json:"abi"`
	Engine        string `json:"engine"`
	EngineVersion string `json:"engine_version"`

	released bool // it was installed from a published version
}

func buildVersion() versionInfo {
	v := versionInfo{
		Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		ABI: fmt.Sprintf("%d.%d", abi.VersionMajor, abi.VersionMinor), Engine: "wazero", EngineVersion: "(unknown)",
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Path == modulePath && info.Main.Version != "" {
		v.Version = info.Main.Version
		v.released = info.Main.Sum != "" // only what was downloaded has one
	}
	for _, dep := range info.Deps {
		if dep.Path == engineModule {
			v.EngineVersion = dep.Version
		}
	}
	return v
}

func (a *app) newVersion() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the command, Go, the ABI and the engine",
		Example: `  wasmsandbox version
  wasmsandbox version --format json`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	format := addChoice(cmd, false, "format", "output format", "text", "json")
	cmd.RunE = func(*cobra.Command, []string) error {
		v := buildVersion()
		if format.value == "json" {
			return printJSON(a.stdout, v)
		}
		_, err := fmt.Fprintf(a.stdout, "wasmsandbox %s\n  go      %s %s\n  abi     %s\n  engine  %s %s\n",
			v.Version, v.Go, v.Platform, v.ABI, v.Engine, v.EngineVersion)
		return err
	}
	return cmd
}
