package scripts_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// ending is a context that ends when it was asked a number of times.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestTheContextEndsTheCopyingOfFiles(t *testing.T) {
	files := map[string]string{"folder/script.yaml": "{version: 1, workspace: {folder: p}}", "tar/script.yaml": "{version: 1, workspace: {tar: a.tar}}"}
	var members []member
	for i := range 200 {
		members = append(members, member{name: fmt.Sprint(i), text: "x"})
		files[fmt.Sprint("folder/p/", i)] = "x"
	}
	files["tar/a.tar"] = makeTar(t, members...)
	newFolder(t, files)
	for _, script := range []string{"folder", "tar"} {
		if _, err := scripts.Load(&ending{t.Context(), 100}, script); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", script, err)
		}
	}
}
