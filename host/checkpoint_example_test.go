package host_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// A session makes its first calls once. Others go on from its file, each in its own way.
func ExampleReadCheckpoint() {
	ctx := context.Background()
	steps := []host.Step{
		{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{Stdout: []byte("built\n")})},
		{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{Stdout: []byte("tested\n")})},
	}
	options := host.WithWorkspace(host.Workspace{})
	first, err := host.NewScripted(steps, options)
	if err != nil {
		log.Fatal(err)
	}
	_, _ = first.Exec(ctx, host.ExecRequest{Command: []string{"make"}})
	_ = first.Workspace().WriteFile("notes.txt", []byte("call Ada\n"), 0)

	var file bytes.Buffer // or one that another process reads
	checkpoint, err := first.Checkpoint(ctx)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := checkpoint.WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	_ = first.Close(ctx)

	restored, err := host.ReadCheckpoint(ctx, &file, steps, options)
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"Bob", "Eve"} {
		session, err := restored.NewSession()
		if err != nil {
			log.Fatal(err)
		}
		result, _ := session.Exec(ctx, host.ExecRequest{Command: []string{"make", "test"}})
		_ = session.Workspace().WriteFile(name, nil, 0)
		notes, _ := session.Workspace().ReadFile("notes.txt")
		_, files := session.Workspace().Usage()
		fmt.Printf("%s: %s%d calls, %d files, %s", name, result.Stdout, len(session.Calls()), files, notes)
		_ = session.Close(ctx)
	}
	// Output:
	// Bob: tested
	// 2 calls, 2 files, call Ada
	// Eve: tested
	// 2 calls, 2 files, call Ada
}
