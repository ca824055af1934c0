package main

import (
	"maps"
	"slices"
	"strconv"

	"github.com/wasmsandbox/wasmsandbox/guest"
)

// What the guest remembers.
var (
	files = map[string][]byte{}
	calls int32
)

func registerStore() {
	guest.OnRead("store", readFile)
	guest.OnWrite("store", writeFile)
	guest.OnRm("store", func(_ *guest.Call, req *guest.RmRequest) error {
		delete(files, req.Path)
		return nil
	})
	guest.OnLs("store", listFiles)
	guest.OnMkdir("store", func(*guest.Call, *guest.MkdirRequest) error { return guest.CodeWorkspaceArchiveWrite })
	guest.OnExec("count", func(*guest.Call, *guest.ExecRequest) (*guest.ExecResult, error) {
		calls++
		guest.Debug("call " + strconv.Itoa(int(calls)))
		return &guest.ExecResult{ExitCode: calls}, nil
	})
}

func readFile(_ *guest.Call, req *guest.ReadRequest) (*guest.Stream, error) {
	data, ok := files[req.Path]
	if !ok {
		return nil, guest.NewError(guest.CodeWorkspaceReadNotFound).With("path", req.Path)
	}
	return guest.BytesStream(data), nil
}

func writeFile(_ *guest.Call, req *guest.WriteRequest) error {
	data, err := req.Data.ReadAll()
	if err == nil {
		files[req.Path] = data
	}
	return err
}

func listFiles(*guest.Call, *guest.LsRequest) ([]guest.FileEntry, error) {
	var entries []guest.FileEntry
	for _, path := range slices.Sorted(maps.Keys(files)) {
		entries = append(entries, guest.FileEntry{Path: path, Size: uint64(len(files[path])), Permissions: 0o644})
	}
	return entries, nil
}
