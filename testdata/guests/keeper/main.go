// Command keeper is the guest of the tests that put guests back, and copy them: it says
// something when it is opened, and remembers what it was told.
package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/wasmsandbox/wasmsandbox/guest"
)

var (
	said []string
	file *os.File
	big  []byte
)

func init() {
	fmt.Println("hello from stdout")
	fmt.Fprintln(os.Stderr, "hello from stderr")
	guest.Describe("keeper", "1.0.0")
	guest.OnExec("keep", keep)
}

// keep does what the command says, and answers all that was said so far.
func keep(_ *guest.Call, req *guest.ExecRequest) (*guest.ExecResult, error) {
	word, argument, _ := strings.Cut(strings.Join(req.Command, " "), " ")
	switch word {
	case "random":
		b := make([]byte, 8)
		rand.Read(b)
		word = fmt.Sprintf("%x", b)
	case "time":
		word = time.Now().UTC().Format(time.RFC3339Nano)
	case "open":
		var err error
		if file, err = os.OpenFile(argument, os.O_RDWR, 0); err != nil {
			return nil, err
		}
	case "read":
		b := make([]byte, 3)
		n, err := file.Read(b)
		if err != nil && err != io.EOF {
			return nil, err
		}
		word = string(b[:n])
	case "remove":
		if err := os.Remove(argument); err != nil {
			return nil, err
		}
	case "grow":
		big = make([]byte, 64<<20)
	case "die":
		panic(argument)
	}
	said = append(said, word)
	return guest.Stdout(strings.Join(said, " ")), nil
}

func main() {}
