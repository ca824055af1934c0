// Command go is a guest that takes versions, if each is newer than the last.
package main

import (
	"strings"

	"github.com/wasmsandbox/wasmsandbox/guest"
)

var version string // the last one written

func init() {
	guest.OnWrite("bump", func(_ *guest.Call, req *guest.WriteRequest) error {
		text, err := req.Data.Content.Text()
		if err != nil {
			return err
		}
		next := strings.TrimSpace(text)
		if next <= version {
			return guest.NewError(guest.CodeWorkspaceArchiveWrite).With("version", version)
		}
		version = next
		return nil
	})
}

func main() {}
