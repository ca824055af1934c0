package host_test

import (
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

func TestAManifestThatCantBeUsedSaysWhichPathAndWhy(t *testing.T) {
	for _, test := range []struct {
		manifest     host.Manifest
		reason, want string
	}{
		{host.Manifest{Root: "work"}, "absolute", `the path "work" must be absolute: it is the root`},
		{host.Manifest{Ephemeral: []string{"tmp", "../tmp"}}, "escape_root", `the path "../tmp" must not have .. in it`},
		{host.Manifest{Mounts: []string{"/data"}}, "absolute", `the path "/data" must be relative to the root`},
		{host.Manifest{Mounts: []string{`C:\data`}}, "absolute", `the path "C:/data" must be relative to the root`},
	} {
		_, err := host.NewScripted(nil, host.WithManifest(test.manifest))
		e, ok := errors.AsType[*host.SandboxError](err)
		if !ok || e.Code != host.CodeInvalidManifestPath || e.Context["reason"] != test.reason || e.Error() != test.want {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}
