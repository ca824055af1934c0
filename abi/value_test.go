package abi_test

import (
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

func TestValuesThatCanBeCarriedPassTheCheck(t *testing.T) {
	if err := abi.CheckEntries(everyValue()); err != nil {
		t.Error(err)
	}
	if err := abi.CheckValue(nested(abi.MaxDepth)); err != nil {
		t.Error(err)
	}
}

func TestValuesThatCannotBeCarriedFailTheCheckWithTheirPath(t *testing.T) {
	cycle := []abi.Value{nil}
	cycle[0] = cycle
	for _, test := range []struct {
		name  string
		value abi.Value
		want  string
	}{
		{"another type", 1, "abi: value: a type that has no encoding"},
		{"a fraction", []abi.Value{nil, 1.5}, "abi: value at [1]: a type that has no encoding"},
		{"text", "\xff", "abi: value: text that isn't UTF-8"},
		{"key", []abi.Entry{{Key: "\xff"}}, `abi: value at ."\xff": a key that isn't UTF-8`},
		{"order", []abi.Entry{{Key: "b"}, {Key: "a"}}, "abi: value at .a: keys that aren't strictly ascending"},
		{"twice", []abi.Entry{{Key: "a"}, {Key: "a"}}, "abi: value at .a: keys that aren't strictly ascending"},
		{"path", []abi.Entry{{Key: "a", Value: []abi.Value{[]abi.Entry{{Key: "b", Value: 2}}}}}, "abi: value at .a[0].b: a type that has no encoding"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := abi.CheckValue(test.value)
			if err == nil || err.Error() != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
	for _, deep := range []abi.Value{nested(abi.MaxDepth + 1), cycle} {
		var failure *abi.ValueError
		if err := abi.CheckValue(deep); !errors.As(err, &failure) || failure.Problem != "nested more than 64 deep" {
			t.Errorf("a value that is too deep: %v", err)
		}
	}
}

func TestAppendPanicsOnWhatCheckValueRefusesForTypeOrDepth(t *testing.T) {
	for _, value := range []abi.Value{1, nested(abi.MaxDepth + 1)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%T was encoded", value)
				}
			}()
			(&abi.Open{Config: []abi.Entry{{Key: "a", Value: value}}}).Append(nil)
		}()
	}
}

func TestContentLengthIsThatOfTheBlobWhenThereIsOne(t *testing.T) {
	for _, test := range []struct {
		content abi.Content
		want    uint64
	}{
		{abi.Content{}, 0},
		{inline("abc"), 3},
		{abi.Content{Inline: []byte("abc"), Blob: &abi.Blob{Size: 1 << 40}}, 1 << 40},
	} {
		if got := test.content.Len(); got != test.want {
			t.Errorf("%+v has %d bytes, want %d", test.content, got, test.want)
		}
	}
}
