package devices_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/devices"
)

func TestWhatDevicesGive(t *testing.T) {
	read := func(path string) []byte {
		got, err := io.ReadAll(io.LimitReader(devices.Reader(path), 100))
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		return got
	}
	if got := read("/dev/null"); len(got) != 0 {
		t.Errorf("/dev/null has %d bytes", len(got))
	}
	zeros := make([]byte, 100)
	if got := read("/dev/zero"); !bytes.Equal(got, zeros) {
		t.Errorf("/dev/zero has %d bytes: %x", len(got), got)
	}
	for _, path := range []string{"/dev/random", "/dev/urandom"} {
		got := read(path)
		if len(got) != 100 || bytes.Equal(got, zeros) {
			t.Errorf("%s has %d bytes: %x", path, len(got), got)
		}
		if again := read(path); !bytes.Equal(got, again) {
			t.Errorf("%s has %x, and then %x", path, got, again)
		}
	}
	if r := devices.Reader("/dev/stdin"); r != nil {
		t.Errorf("the standard input is each command's own: %v", r)
	}
}
