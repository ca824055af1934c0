package host_test

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

func TestCommandsKnowTheAccountsOfTheManifest(t *testing.T) {
	manifest := host.Manifest{Users: []string{"alice", "bob"}, Groups: []host.Group{{Name: "staff", Members: []string{"bob"}}}}
	s := withFiles(t, map[string]string{"f": ""}, host.WithManifest(manifest))
	for script, want := range map[string]host.ExecResult{
		"id bob": {Stdout: []byte("uid=1001(bob) gid=1001(bob) groups=1001(bob),1002(staff)\n")},
		"id eve": {Stderr: []byte("id: 'eve': no such user\n"), ExitCode: 1},
		"chown alice:staff f && ls -n f | cut -d' ' -f3-4": {Stdout: []byte("1000 1002\n")},
		"chown eve f": {Stderr: []byte("chown: invalid user: 'eve'\n"), ExitCode: 1},
	} {
		r := execIn(t, s, script)
		if string(r.Stdout) != string(want.Stdout) || string(r.Stderr) != string(want.Stderr) || r.ExitCode != want.ExitCode {
			t.Errorf("%s: got %+v", script, r)
		}
	}
}
