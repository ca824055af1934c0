// A reactor that looks at everything a world could tell it, and writes down
// what it saw.
package main

import (
	"bufio"
	crand "crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand"
	"os"
	"time"
)

func main() {}

//go:wasmexport report
func report() {
	start := time.Now()
	fmt.Println("time", start.UTC().Format(time.RFC3339Nano))
	time.Sleep(90 * time.Second)
	fmt.Println("slept", time.Since(start).Round(time.Second))

	timer := make(chan string)
	go func() { time.Sleep(2 * time.Hour); timer <- "second" }()
	go func() { time.Sleep(time.Hour); timer <- "first" }()
	fmt.Println("timers", <-timer, <-timer)

	key := make([]byte, 16)
	_, _ = crand.Read(key)
	fmt.Printf("random %x %d\n", key, rand.Int63())

	fmt.Printf("arguments %q environment %q\n", os.Args, os.Environ())
	_, err := os.ReadFile("/etc/passwd")
	fmt.Println("file", err != nil, errors.Is(err, fs.ErrNotExist), err)
	_, err = os.Stat(".")
	fmt.Println("folder", err != nil)
	_, err = os.Create("/tmp/x")
	fmt.Println("create", err != nil)

	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	fmt.Printf("input %q %v\n", line, err)
	rest, err := io.ReadAll(os.Stdin)
	fmt.Printf("rest %q %v\n", rest, err)

	fmt.Fprintln(os.Stderr, "done at", time.Now().UTC().Format(time.RFC3339Nano))
}

//go:wasmexport exit
func exit(code int32) { os.Exit(int(code)) }

//go:wasmexport crash
func crash() { panic("on purpose") }
