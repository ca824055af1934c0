package verify_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts/verify"
)

func TestLimitsAreReadAsTheyWereWritten(t *testing.T) {
	var want host.Limits
	fields := reflect.ValueOf(&want).Elem()
	for i := range fields.NumField() {
		fields.Field(i).SetInt(int64(i + 1)) // each another one
	}
	names := verify.LimitsByName(want)
	if len(names) != fields.NumField() || names["inline_bytes"] != 1 {
		t.Errorf("the names are %v", names)
	}
	if got, err := verify.LimitsOfNames(names); err != nil || got != want {
		t.Errorf("got %+v and the error %v, want %+v", got, err, want)
	}
}

func TestLimitsThatAreNotKnownAreRefused(t *testing.T) {
	_, err := verify.LimitsOfNames(map[string]int64{"log_bytes": 5, "coal": 6})
	bad, ok := errors.AsType[*verify.ManifestError](err)
	if !ok || bad.Field != "limits.coal" {
		t.Errorf("the error is %v", err)
	}
}
