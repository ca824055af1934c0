package main

import (
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/guest"
)

// opened is what the guest was told of its session.
var opened guest.Open

func registerSession() {
	guest.OnOpen(func(o *guest.Open) error {
		opened = *o
		return nil
	})
	guest.OnExec("log", func(_ *guest.Call, req *guest.ExecRequest) (*guest.ExecResult, error) {
		for i, part := range req.Command {
			guest.Log(guest.LogLevel(i%4), part)
		}
		return &guest.ExecResult{}, nil
	})
	guest.OnExec("config", func(c *guest.Call, _ *guest.ExecRequest) (*guest.ExecResult, error) {
		var b strings.Builder
		for _, key := range c.Config().Keys() {
			value, _ := c.Config().Value(key)
			b.WriteString(key + "=" + renderValue(value) + "\n")
		}
		return guest.Stdout(b.String()), nil
	})
	guest.OnExec("setting", func(c *guest.Call, req *guest.ExecRequest) (*guest.ExecResult, error) {
		return guest.Stdout(c.Config().String(req.Command[0], "main")), nil
	})
	guest.OnExec("session", func(c *guest.Call, _ *guest.ExecRequest) (*guest.ExecResult, error) {
		var b rendering
		b.uint("seed", opened.Seed)
		b.int("start_time_ns", opened.StartTime.UnixNano())
		b.uint("inline_bytes", opened.Limits.InlineBytes)
		b.uint("reply_bytes", opened.Limits.ReplyBytes)
		b.uint("log_bytes", opened.Limits.LogBytes)
		b.uint("blob_bytes", opened.Limits.BlobBytes)
		b.uint("index", c.Index())
		b.int("time_ns", c.Time().UnixNano())
		return guest.Stdout(b.String()), nil
	})
}

// extension asks for an extension that no host has.
func extension(*guest.Call, *guest.ExecRequest) (*guest.ExecResult, error) {
	return guest.Stdout(strconv.FormatInt(hostExtension(7, []byte("x")), 10)), nil
}

// blobLen logs what the host says of the length of content that it holds.
func blobLen(_ *guest.Call, req *guest.WriteRequest) error {
	if handle, ok := req.Data.Content.Handle(); ok {
		guest.Info(strconv.FormatInt(hostBlobLen(handle), 10))
	} else {
		guest.Info("inline")
	}
	return nil
}
