package builtin_test

import (
	"bytes"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
)

// known runs a script where two users and a group exist.
func known(t *testing.T, script string) string {
	t.Helper()
	s := &shell.Shell{
		Files: newTree(t), Lookup: shell.Tools(builtin.Tools()),
		Accounts: shell.Accounts{Users: []string{"ada", "bob"}, Groups: []shell.Group{{Name: "staff", Members: []string{"bob"}}}},
	}
	var out bytes.Buffer
	if _, err := s.Run(t.Context(), shell.Process{Args: []string{"bash", "-c", script}, Stdout: &out, Stderr: &out}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestOnlyAccountsThatExistAreKnown(t *testing.T) {
	for script, want := range map[string]string{
		`id ada`:                   "uid=1000(ada) gid=1000(ada) groups=1000(ada)\n",
		`id bob`:                   "uid=1001(bob) gid=1001(bob) groups=1001(bob),1002(staff)\n",
		`id -Gn bob; id -G bob`:    "bob staff\n1001 1002\n",
		`id eve; echo $?`:          "id: 'eve': no such user\n1\n",
		`sudo -u bob id -u`:        "1001\n",
		`sudo -u eve id -u; id -u`: "1000\n0\n",
		`sudo -u eve id eve`:       "uid=1000(eve) gid=1000(eve) groups=1000(eve)\n",
		`chown ada:staff fruit; stat -c '%U %G' fruit; ls -n fruit | cut -d' ' -f3-4`: "ada staff\n1000 1002\n",
		`chown bob: fruit; stat -c '%U %G' fruit`:                                     "bob bob\n",
		`chown 1000:1002 fruit; stat -c '%U %G' fruit`:                                "ada staff\n",
		`chown 77 fruit; stat -c '%U %G' fruit; ls -n fruit | cut -d' ' -f3-4`:        "77 root\n77 0\n",
		`chown eve fruit; echo $?; stat -c %U fruit`:                                  "chown: invalid user: 'eve'\n1\nroot\n",
		`chown staff fruit`:                             "chown: invalid user: 'staff'\n",
		`chgrp staff fruit; stat -c '%U %G' fruit`:      "root staff\n",
		`chgrp wheel fruit`:                             "chgrp: invalid group: 'wheel'\n",
		`chown -f eve fruit; echo $?`:                   "chown: invalid user: 'eve'\n1\n",
		`sudo -u eve chown eve fruit; stat -c %U fruit`: "eve\n",
	} {
		if got := known(t, script); got != want {
			t.Errorf("%s: got %q, want %q", script, got, want)
		}
	}
}
