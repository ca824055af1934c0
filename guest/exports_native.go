//go:build !wasip1

package guest

import "github.com/wasmsandbox/wasmsandbox/guest/internal/native"

func init() {
	native.Guest = native.Exports{
		Describe: func() []byte { return self.describe() },
		Open:     func(data []byte) []byte { return self.open(data) },
		Match:    func(handler uint32, data []byte) []byte { return self.match(handler, data) },
		Respond:  func(handler uint32, data []byte) []byte { return self.respond(handler, data) },
		Close:    func() []byte { return self.close() },
	}
}
