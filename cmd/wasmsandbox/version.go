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

// A versionInfo is what the command is made of.
type versionInfo struct {
	Version       string `json:"version"`
	Go            string `json:"go"`
	Platform      string `json:"platform"`
	ABI           string `json:"abi"`
	Engine        string `json:"engine"`
	EngineVersion string `json:"engine_version"`

	Engines []engineVersion `json:"engines"`

	released bool // it was installed from a published version
}

// An engineVersion is an engine that guests can run on, the default first.
type engineVersion struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func buildVersion() versionInfo {
	v := versionInfo{
		Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		ABI: fmt.Sprintf("%d.%d", abi.VersionMajor, abi.VersionMinor), Engine: engines[0].name, EngineVersion: engines[0].version(),
	}
	for _, e := range engines {
		v.Engines = append(v.Engines, engineVersion{e.name, e.version()})
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Path == modulePath && info.Main.Version != "" {
		v.Version = info.Main.Version
		v.released = info.Main.Sum != "" // only what was downloaded has one
	}
	return v
}

func (a *app) newVersion() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the command, Go, the ABI and the engines",
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
		_, err := fmt.Fprintf(a.stdout, "wasmsandbox %s\n  go      %s %s\n  abi     %s\n", v.Version, v.Go, v.Platform, v.ABI)
		for _, e := range v.Engines {
			_, _ = fmt.Fprintf(a.stdout, "  engine  %s %s\n", e.Name, e.Version)
		}
		return err
	}
	return cmd
}
