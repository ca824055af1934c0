// Command goprogram does one of several things with files and streams.
package main

import "os"

func main() {
	switch os.Args[1] {
	case "files":
		files()
	case "where":
		where()
	case "terminal":
		terminal()
	}
}
