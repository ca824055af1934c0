// Command store is a guest that remembers: what write stored, read returns.
package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/guest"
)

// files is the guest's state. Each session has an instance of its own, so it
// starts empty every time.
var files = map[string][]byte{}

func init() {
	guest.Describe("store", "1.0.0")
	guest.OnWrite("files", write)
	guest.OnRead("files", read)
	guest.OnLs("files", list)
	guest.OnRm("files", remove)
	guest.OnExec("files", count)
}

func write(_ *guest.Call, req *guest.WriteRequest) error {
	data, err := req.Data.ReadAll()
	if err != nil {
		return err
	}
	files[req.Path] = data
	return nil
}

func read(_ *guest.Call, req *guest.ReadRequest) (*guest.Stream, error) {
	data, ok := files[req.Path]
	if !ok {
		return nil, notFound(req.Path)
	}
	return guest.BytesStream(data), nil
}

func list(_ *guest.Call, req *guest.LsRequest) ([]guest.FileEntry, error) {
	dir := strings.TrimSuffix(req.Path, "/") + "/"
	var entries []guest.FileEntry
	for path, data := range files {
		if strings.HasPrefix(path, dir) {
			entries = append(entries, guest.FileEntry{
				Path: path, Permissions: 0o644, Owner: "agent", Group: "agent", Size: uint64(len(data)),
			})
		}
	}
	slices.SortFunc(entries, func(a, b guest.FileEntry) int { return strings.Compare(a.Path, b.Path) })
	return entries, nil
}

func remove(_ *guest.Call, req *guest.RmRequest) error {
	if _, ok := files[req.Path]; !ok {
		return notFound(req.Path)
	}
	delete(files, req.Path)
	return nil
}

// count answers wc -c FILE.
func count(_ *guest.Call, req *guest.ExecRequest) (*guest.ExecResult, error) {
	path := req.Command[len(req.Command)-1]
	data, ok := files[path]
	if !ok {
		guest.Warn("wc: no such file")
		return guest.Exit(1, "wc: "+path+": no such file\n"), nil
	}
	return guest.Stdout(strconv.Itoa(len(data)) + " " + path + "\n"), nil
}

func notFound(path string) error {
	return guest.NewError(guest.CodeWorkspaceReadNotFound).With("path", path)
}

func main() {}
