package metering_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// long is a section of any length.
func long(id byte, content ...[]byte) []byte {
	all := bytes.Join(content, nil)
	return append(binary.AppendUvarint([]byte{id}, uint64(len(all))), all...)
}

// oneFunction is a module of one function () -> () with a body.
func oneFunction(code []byte) []byte {
	body := slicesOf([]byte{0}, code, []byte{0x0b})
	return slicesOf(header, sectionOf(1, 1, 0x60, 0, 0), sectionOf(3, 1, 0),
		long(10, []byte{1}, binary.AppendUvarint(nil, uint64(len(body))), body))
}

func nested(depth int) []byte {
	return oneFunction(slicesOf(bytes.Repeat([]byte{0x02, 0x40}, depth), bytes.Repeat([]byte{0x0b}, depth)))
}

func branches(targets int) []byte {
	return oneFunction(slicesOf([]byte{0x41, 0, 0x0e}, binary.AppendUvarint(nil, uint64(targets)), make([]byte, targets+1)))
}

func parameters(n int) []byte {
	return slicesOf(header, long(1, []byte{1, 0x60}, binary.AppendUvarint(nil, uint64(n)), bytes.Repeat([]byte{0x7f}, n), []byte{0}))
}

func TestPartsThatAreTooLargeAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		build func(n int) []byte
		most  int
	}{
		"parameters":  {parameters, 1_000},
		"branches":    {branches, 65_520},
		"nested code": {nested, 9_999}, // the function is a block as well
	} {
		if _, err := metering.Rewrite(test.build(test.most), metering.Options{}); err != nil {
			t.Errorf("%s, %d: %v", name, test.most, err)
		}
		if _, err := metering.Rewrite(test.build(test.most+1), metering.Options{}); !errors.Is(err, metering.TooLarge) {
			t.Errorf("%s, %d: %v", name, test.most+1, err)
		}
	}
}
