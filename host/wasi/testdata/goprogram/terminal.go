package main

import (
	"bufio"
	"fmt"
	"os"
	"time"
)

// terminal reads lines, and says when none comes for a second.
func terminal() {
	info, _ := os.Stdout.Stat()
	fmt.Println("terminal", info.Mode()&os.ModeCharDevice != 0)
	lines := make(chan string)
	go func() {
		for s := bufio.NewScanner(os.Stdin); s.Scan(); {
			lines <- s.Text()
		}
		close(lines)
	}()
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				fmt.Println("end")
				return
			}
			fmt.Println("line", line)
		case <-time.After(time.Second):
			fmt.Println("nothing")
		}
	}
}
