package workspace_test

import (
	"io/fs"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestOperationsFailAsPOSIXSays(t *testing.T) {
	type tree = workspace.Tree
	read := func(name string) func(*tree) error {
		return func(w *tree) error { _, err := w.ReadFile(name); return err }
	}
	list := func(name string) func(*tree) error {
		return func(w *tree) error { _, err := w.ReadDir(name); return err }
	}
	write := func(name string) func(*tree) error {
		return func(w *tree) error { return w.WriteFile(name, []byte("x"), 0) }
	}
	for name, c := range map[string]struct {
		do   func(*tree) error
		want error
	}{
		"read a file":                             {read("dir/file"), nil},
		"read nothing":                            {read("none"), workspace.ENOENT},
		"read in nothing":                         {read("none/x"), workspace.ENOENT},
		"read a folder":                           {read("dir"), workspace.EISDIR},
		"read below a file":                       {read("dir/file/x"), workspace.ENOTDIR},
		"read outside":                            {read("/etc/passwd"), workspace.EPERM},
		"read above":                              {read("../x"), workspace.EPERM},
		"list a folder":                           {list("dir"), nil},
		"list the root":                           {list(""), nil},
		"list a grant":                            {list("/ro"), nil},
		"list a file":                             {list("dir/file"), workspace.ENOTDIR},
		"list nothing":                            {list("none"), workspace.ENOENT},
		"write a file":                            {write("dir/file"), nil},
		"write a new file":                        {write("new"), nil},
		"write a folder":                          {write("dir"), workspace.EISDIR},
		"write the root":                          {write("."), workspace.EISDIR},
		"write in nothing":                        {write("none/x"), workspace.ENOENT},
		"write below a file":                      {write("dir/file/x"), workspace.ENOTDIR},
		"write to a grant":                        {write("/rw/x"), nil},
		"write to a grant for reading":            {write("/ro/x"), workspace.EROFS},
		"mkdir":                                   {func(w *tree) error { return w.Mkdir("new", 0) }, nil},
		"mkdir over a folder":                     {func(w *tree) error { return w.Mkdir("dir", 0) }, workspace.EEXIST},
		"mkdir over a file":                       {func(w *tree) error { return w.Mkdir("dir/file", 0) }, workspace.EEXIST},
		"mkdir in nothing":                        {func(w *tree) error { return w.Mkdir("none/x", 0) }, workspace.ENOENT},
		"mkdir of the root":                       {func(w *tree) error { return w.Mkdir("/workspace", 0) }, workspace.EEXIST},
		"mkdir below a file":                      {func(w *tree) error { return w.Mkdir("dir/file/x", 0) }, workspace.ENOTDIR},
		"remove a file":                           {func(w *tree) error { return w.Remove("dir/file") }, nil},
		"remove a folder that isn't empty":        {func(w *tree) error { return w.Remove("dir") }, workspace.ENOTEMPTY},
		"remove nothing":                          {func(w *tree) error { return w.Remove("none") }, workspace.ENOENT},
		"remove the root":                         {func(w *tree) error { return w.Remove(".") }, workspace.EBUSY},
		"remove a grant":                          {func(w *tree) error { return w.Remove("/rw") }, workspace.EBUSY},
		"remove all of a folder":                  {func(w *tree) error { return w.RemoveAll("dir") }, nil},
		"remove all of nothing":                   {func(w *tree) error { return w.RemoveAll("none") }, nil},
		"remove all in nothing":                   {func(w *tree) error { return w.RemoveAll("none/x/y") }, nil},
		"remove all below a file":                 {func(w *tree) error { return w.RemoveAll("dir/file/x") }, nil},
		"remove all of the root":                  {func(w *tree) error { return w.RemoveAll(".") }, workspace.EBUSY},
		"remove all of a grant":                   {func(w *tree) error { return w.RemoveAll("/rw") }, workspace.EBUSY},
		"remove all of a grant for reading":       {func(w *tree) error { return w.RemoveAll("/ro") }, workspace.EROFS},
		"link":                                    {func(w *tree) error { return w.Link("dir/file", "new") }, nil},
		"link nothing":                            {func(w *tree) error { return w.Link("none", "new") }, workspace.ENOENT},
		"link over a file":                        {func(w *tree) error { return w.Link("dir/file", "dir/file") }, workspace.EEXIST},
		"link a folder":                           {func(w *tree) error { return w.Link("dir", "new") }, workspace.EPERM},
		"link out of a grant for reading":         {func(w *tree) error { return w.Link("/ro/x", "new") }, workspace.EROFS},
		"symlink":                                 {func(w *tree) error { return w.Symlink("x", "new") }, nil},
		"symlink over a file":                     {func(w *tree) error { return w.Symlink("x", "dir/file") }, workspace.EEXIST},
		"symlink to no path":                      {func(w *tree) error { return w.Symlink("", "new") }, workspace.ENOENT},
		"symlink in nothing":                      {func(w *tree) error { return w.Symlink("x", "none/new") }, workspace.ENOENT},
		"readlink of a file":                      {func(w *tree) error { _, err := w.Readlink("dir/file"); return err }, workspace.EINVAL},
		"readlink of nothing":                     {func(w *tree) error { _, err := w.Readlink("none"); return err }, workspace.ENOENT},
		"stat of nothing":                         {func(w *tree) error { _, err := w.Stat("none"); return err }, workspace.ENOENT},
		"chmod":                                   {func(w *tree) error { return w.Chmod("dir", 0o700) }, nil},
		"chmod nothing":                           {func(w *tree) error { return w.Chmod("none", 0o700) }, workspace.ENOENT},
		"chmod in a grant for reading":            {func(w *tree) error { return w.Chmod("/ro", 0o700) }, workspace.EROFS},
		"chown nothing":                           {func(w *tree) error { return w.Chown("none", "a", "b") }, workspace.ENOENT},
		"set the times of nothing":                {func(w *tree) error { return w.SetTimes("none", nil, nil) }, workspace.ENOENT},
		"rename a file":                           {func(w *tree) error { return w.Rename("dir/file", "new") }, nil},
		"rename a folder":                         {func(w *tree) error { return w.Rename("dir", "new") }, nil},
		"rename nothing":                          {func(w *tree) error { return w.Rename("none", "new") }, workspace.ENOENT},
		"rename a file to where it is":            {func(w *tree) error { return w.Rename("dir/file", "dir/file") }, nil},
		"rename a folder to where it is":          {func(w *tree) error { return w.Rename("dir", "dir") }, nil},
		"rename a folder into itself":             {func(w *tree) error { return w.Rename("dir", "dir/new") }, workspace.EINVAL},
		"rename a file over its folder":           {func(w *tree) error { return w.Rename("dir/file", "dir") }, workspace.ENOTEMPTY},
		"rename into nothing":                     {func(w *tree) error { return w.Rename("dir", "none/new") }, workspace.ENOENT},
		"rename the root":                         {func(w *tree) error { return w.Rename(".", "new") }, workspace.EBUSY},
		"rename over the root":                    {func(w *tree) error { return w.Rename("dir", ".") }, workspace.EBUSY},
		"rename a grant":                          {func(w *tree) error { return w.Rename("/rw", "new") }, workspace.EBUSY},
		"rename to a grant":                       {func(w *tree) error { return w.Rename("dir", "/rw/dir") }, nil},
		"rename to a grant for reading":           {func(w *tree) error { return w.Rename("dir", "/ro/dir") }, workspace.EROFS},
		"rename out of the workspace":             {func(w *tree) error { return w.Rename("dir", "../dir") }, workspace.EPERM},
		"open a folder for writing":               {opening("dir", workspace.OpenOptions{Write: true}), workspace.EISDIR},
		"open a folder to truncate it":            {opening("dir", workspace.OpenOptions{Truncate: true}), workspace.EISDIR},
		"open a folder to create it":              {opening("dir", workspace.OpenOptions{Create: true}), workspace.EISDIR},
		"open a file as a folder":                 {opening("dir/file", workspace.OpenOptions{Directory: true}), workspace.ENOTDIR},
		"open nothing":                            {opening("none", workspace.OpenOptions{Write: true}), workspace.ENOENT},
		"create a folder by opening it":           {opening("none", workspace.OpenOptions{Create: true, Directory: true}), workspace.EINVAL},
		"create a file that is there":             {opening("dir/file", workspace.OpenOptions{Write: true, Create: true, Exclusive: true}), workspace.EEXIST},
		"create in a grant for reading":           {opening("/ro/x", workspace.OpenOptions{Create: true}), workspace.EROFS},
		"open a grant for reading":                {opening("/ro", workspace.OpenOptions{Read: true}), nil},
		"make all folders":                        {func(w *tree) error { return w.MkdirAll("dir/a/b/c", 0) }, nil},
		"make all folders that are there":         {func(w *tree) error { return w.MkdirAll("dir", 0) }, nil},
		"make the root":                           {func(w *tree) error { return w.MkdirAll("", 0) }, nil},
		"make all folders in a grant":             {func(w *tree) error { return w.MkdirAll("/rw/a/b", 0) }, nil},
		"make all folders in a grant for reading": {func(w *tree) error { return w.MkdirAll("/ro/a/b", 0) }, workspace.EROFS},
		"make all folders below a file":           {func(w *tree) error { return w.MkdirAll("dir/file/x", 0) }, workspace.ENOTDIR},
		"make a folder of a file":                 {func(w *tree) error { return w.MkdirAll("dir/file", 0) }, workspace.ENOTDIR},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTree(t)
			before := state(w)
			wants(t, w, before, c.do(w), c.want)
		})
	}
}

func opening(name string, o workspace.OpenOptions) func(*workspace.Tree) error {
	return func(w *workspace.Tree) error {
		h, err := w.Open(name, o)
		if err != nil {
			return err
		}
		return h.Close()
	}
}

func TestModesAreTheDefaultsUnlessTheyAreGiven(t *testing.T) {
	w := newTree(t)
	check(t, w.Mkdir("given", fs.ModeSticky|0o700))
	check(t, w.WriteFile("given/file", nil, 0o600))
	check(t, w.WriteFile("given/file", []byte("again"), 0o777))
	check(t, w.MkdirAll("all/folders", 0o711))
	for name, want := range map[string]string{
		"dir": "drwxr-xr-x", "dir/file": "-rw-r--r--", "given": "dtrwx------", "given/file": "-rw-------", "all": "drwx--x--x", "all/folders": "drwx--x--x",
	} {
		if info := must(w.Stat(name))(t); info.Mode.String() != want || info.FileInfo().Mode() != info.Mode {
			t.Errorf("%s: %v, want %s", name, info.Mode, want)
		}
	}
	check(t, w.Chmod("dir/file", 0))
	if info := must(w.Stat("dir/file"))(t); info.Mode != 0 {
		t.Errorf("%v after chmod 0", info.Mode)
	}
}

func TestClearKeepsWhatIsExcepted(t *testing.T) {
	w := newTree(t, "link -> dir")
	check(t, w.MkdirAll("a/b/c", 0))
	check(t, w.MkdirAll("a/x", 0))
	check(t, w.WriteFile("/rw/file", nil, 0))
	w.Clear(".")
	if _, err := w.Stat("dir/file"); err != nil {
		t.Error("the root was excepted")
	}
	w.Clear("a/b", "none")
	got := ""
	for _, e := range w.Snapshot() {
		got += e.Path + " "
	}
	if got != ". a a/b a/b/c " {
		t.Errorf("left: %s", got)
	}
	if _, err := w.Stat("/rw/file"); err != nil {
		t.Error("the grant was cleared")
	}
	check(t, w.Invariants())
}
