package workspace_test

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestErrorsSayWhatIsWrong(t *testing.T) {
	policy := must(workspace.NewPolicy("", workspace.Grant{Path: "/ro", ReadOnly: true}))(t)
	w := workspace.New(workspace.Config{Policy: policy, Limits: workspace.Limits{Bytes: 10, Files: 1}})
	check(t, w.Symlink("/ro/x", "l"))
	for want, err := range map[string]error{
		"open /etc/passwd: the path \"/etc/passwd\" is outside of the root":         second(w.ReadFile("/etc/passwd")),
		"mkdir ../x: the path \"../x\" leaves the root":                             w.Mkdir("../x", 0),
		"open /ro/x: the path \"/ro/x\" can only be read, as \"/ro\"":               w.WriteFile("/ro/x", nil, 0),
		"open /workspace/l: the path \"/workspace/l\" can only be read, as \"/ro\"": w.WriteFile("l", nil, 0),
		"open /workspace/new: the workspace may have 10 bytes, not 16":              w.WriteFile("new", make([]byte, 11), 0),
		"mkdir /workspace/new: the workspace may have 1 files, not 2":               w.Mkdir("new", 0),
		"readlink /workspace/none: no such file or directory":                       second(w.Readlink("none")),
		"rename /workspace/none/x: no such file or directory":                       w.Rename("l", "none/x"),
		"the file \"dev\" is of a kind that a workspace can't have: D---------":     &workspace.KindError{Path: "dev", Mode: 1<<26 | 0o600},
		"remove /workspace: device or resource busy":                                w.RemoveAll("."),
		"utimes /workspace/none: no such file or directory":                         w.SetTimes("none", nil, nil),
		"access /workspace/l/x: no such file or directory":                          w.Access("l/x", workspace.Actor{}, workspace.MayRead),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}
