package main

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/listing"
)

// A workspaceReport is the workspace after a run.
type workspaceReport struct {
	Root    string       `json:"root"`
	Files   []fileInfo   `json:"files"`   // but for the root, ordered by path
	Changes []changeInfo `json:"changes"` // since the session was started, ordered by path
}

type fileInfo struct {
	Path   string `json:"path"` // relative to the root
	Kind   string `json:"kind"` // file, directory or symlink
	Mode   string `json:"mode"` // such as -rw-r--r--
	Size   int64  `json:"size"` // of a file
	Target string `json:"target,omitempty"`
}

type changeInfo struct {
	Path string   `json:"path"`
	What []string `json:"what"` // added, removed, kind, content, mode or target

	change workspace.Change
}

// The kinds of files.
const (
	fileKind      = "file"
	directoryKind = "directory"
	symlinkKind   = "symlink"
)

func newWorkspaceReport(root string, before, after []workspace.Entry) *workspaceReport {
	report := &workspaceReport{Root: root, Files: []fileInfo{}, Changes: []changeInfo{}}
	for _, e := range after {
		if e.Path != "." {
			report.Files = append(report.Files, newFileInfo(e))
		}
	}
	slices.SortFunc(report.Files, func(a, b fileInfo) int { return strings.Compare(a.Path, b.Path) })
	for _, c := range workspace.Compare(before, after) {
		report.Changes = append(report.Changes, changeInfo{Path: c.Path, What: strings.Split(c.What.String(), ", "), change: c})
	}
	return report
}

func newFileInfo(e workspace.Entry) fileInfo {
	f := fileInfo{Path: e.Path, Kind: fileKind, Mode: modeText(e), Size: e.Size}
	switch {
	case e.Mode.IsDir():
		f.Kind, f.Size = directoryKind, 0
	case e.Target != "":
		f.Kind, f.Size, f.Target = symlinkKind, 0, e.Target
	}
	return f
}

// modeText is a mode as ls prints it.
func modeText(e workspace.Entry) string {
	if e.Target != "" {
		return listing.Mode(e.Mode | fs.ModeSymlink)
	}
	return listing.Mode(e.Mode)
}
