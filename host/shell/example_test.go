package shell_test

import (
	"context"
	"fmt"
	"os"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func ExampleShell_Run() {
	files := workspace.New(workspace.Config{})
	if err := files.WriteFile("main.c", []byte("int foo;\nint bar;\nint foo2;\n"), 0); err != nil {
		panic(err)
	}
	// A tool of one's own wins over the utility of the same name.
	mine := map[string]shell.Tool{
		"make": func(_ context.Context, p shell.Process) (int, error) {
			fmt.Fprintln(p.Stdout, "cc -o main main.c")
			return 2, nil
		},
	}
	s := &shell.Shell{Files: files, Lookup: shell.Tools(mine, builtin.Tools())}

	script := `grep -n foo *.c | wc -l > out.txt
cat out.txt
make || echo "make failed: $?"`
	code, err := s.Run(context.Background(), shell.Process{
		Args: []string{"sh", "-lc", script}, Stdout: os.Stdout, Stderr: os.Stderr,
	})
	fmt.Println(code, err)
	// Output:
	// 2
	// cc -o main main.c
	// make failed: 2
	// 0 <nil>
}
