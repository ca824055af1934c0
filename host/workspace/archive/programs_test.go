package archive

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// Archives of the programs that people have. Where one is missing, its test is left
// out.

// longName needs more than the old format's hundred bytes.
var longName = strings.Repeat("long", 20) + "/" + strings.Repeat("name", 20)

// hostFolder makes a folder with what programs are to pack.
func hostFolder(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes there")
	}
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "sub", longName), 0o755))
	for name, content := range map[string]string{"a.txt": "content of a", "sub/ü.txt": strings.Repeat("line\n", 20_000), "run.sh": "#!/bin/sh\n"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	must(t, os.Chmod(filepath.Join(dir, "run.sh"), 0o775))
	return dir
}

var hostList = []string{"a.txt=content of a", "run.sh=#!/bin/sh\n", "sub/", "sub/" + strings.Split(longName, "/")[0] + "/", "sub/" + longName + "/", "sub/ü.txt=" + strings.Repeat("line\n", 20_000)}

// run runs a program in a folder, or skips the test if there is none.
func run(t *testing.T, dir, name string, args ...string) []byte {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skip("there is no", name)
	}
	if name == "tar" && !isGNU(path) {
		t.Skip("the tar isn't GNU's")
	}
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "LC_ALL=C.UTF-8", "TMPDIR="+t.TempDir())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, stderr.String())
	}
	return out
}

func isGNU(tar string) bool {
	version, err := exec.Command(tar, "--version").Output()
	return err == nil && strings.Contains(string(version), "GNU tar")
}

const pythonTar = `import tarfile,sys
with tarfile.open(fileobj=sys.stdout.buffer, mode="w|%s", format=tarfile.%s) as t: t.add(".", arcname=".")`

func TestTarsOfPrograms(t *testing.T) {
	for name, command := range map[string][]string{
		"GNU":             {"tar", "--format=gnu", "-cf", "-", "."},
		"GNU oldgnu":      {"tar", "--format=oldgnu", "-cf", "-", "."},
		"GNU posix":       {"tar", "--format=posix", "-cf", "-", "."},
		"GNU ustar":       {"tar", "--format=ustar", "-cf", "-", "."},
		"GNU names":       {"tar", "-cf", "-", "a.txt", "run.sh", "sub"},
		"GNU gzip":        {"tar", "-czf", "-", "."},
		"GNU bzip2":       {"tar", "-cjf", "-", "."},
		"GNU xz":          {"tar", "-cJf", "-", "."},
		"GNU zstd":        {"tar", "--zstd", "-cf", "-", "."},
		"GNU blocks":      {"tar", "-b", "126", "-cf", "-", "."},
		"bsdtar":          {"bsdtar", "-cf", "-", "."},
		"bsdtar pax":      {"bsdtar", "--format=pax", "-cf", "-", "."},
		"git":             {"sh", "-c", "git init -q . && git add . && git -c user.name=n -c user.email=e commit -qm m && mkdir sub/" + longName + "/.keep; git archive HEAD; rm -rf .git"},
		"Python pax":      {"python3", "-c", strings.NewReplacer("|%s", "|", "%s", "PAX_FORMAT").Replace(pythonTar)},
		"Python gnu":      {"python3", "-c", strings.NewReplacer("|%s", "|gz", "%s", "GNU_FORMAT").Replace(pythonTar)},
		"Python xz":       {"python3", "-c", strings.NewReplacer("|%s", "|xz", "%s", "USTAR_FORMAT").Replace(pythonTar)},
		"xz -9, threads":  {"sh", "-c", "tar -cf - . | xz -9 -T2 --block-size=20000"},
		"xz, checks":      {"sh", "-c", "tar -cf - . | xz --check=sha256"},
		"xz, no checks":   {"sh", "-c", "tar -cf - . | xz --check=none"},
		"xz, crc32":       {"sh", "-c", "tar -cf - . | xz --check=crc32"},
		"zstd, ultra":     {"sh", "-c", "tar -cf - . | zstd -q --ultra -22"},
		"zstd, long":      {"sh", "-c", "tar -cf - . | zstd -q --long=27"},
		"zstd, no sum":    {"sh", "-c", "tar -cf - . | zstd -q --no-check"},
		"gzip, two files": {"sh", "-c", "tar -cf ../t . && head -c 10000 ../t | gzip && tail -c +10001 ../t | gzip"},
		"bzip2, two":      {"sh", "-c", "tar -cf ../t . && head -c 10000 ../t | bzip2 && tail -c +10001 ../t | bzip2"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := hostFolder(t)
			if program, _, _ := strings.Cut(name, ","); command[0] == "sh" {
				if _, err := exec.LookPath(program); err != nil {
					t.Skip("there is no", program)
				}
			}
			data := run(t, dir, command[0], command[1:]...)
			want := hostList
			if name == "git" {
				want = []string{hostList[0], hostList[1], hostList[2], hostList[5]} // no empty folders
			}
			tree := newTree(t, workspace.Limits{})
			must(t, Extract(context.Background(), tree, ExtractOptions{Path: "x.tar", Data: data}))
			wantList(t, tree, "x.tar", want...)
			tree = newTree(t, workspace.Limits{})
			must(t, Hydrate(context.Background(), tree, bytes.NewReader(data), nil))
			wantList(t, tree, "", want...)
			if info, err := tree.Stat("run.sh"); err != nil || info.Mode != 0o755 {
				t.Errorf("the mode is %v, %v", info.Mode, err)
			}
		})
	}
}

func TestZipsOfPrograms(t *testing.T) {
	for name, command := range map[string][]string{
		"Info-ZIP":         {"zip", "-qr", "-", "."},
		"Info-ZIP, stored": {"zip", "-q0r", "-", "a.txt", "run.sh", "sub"},
		"Info-ZIP, zip64":  {"sh", "-c", "zip -qr -fz ../x.zip . && cat ../x.zip"},
		"Python":           {"python3", "-c", "import shutil,sys; n=shutil.make_archive('../x','zip','.'); sys.stdout.buffer.write(open(n,'rb').read())"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath("zip"); err != nil && command[0] == "sh" {
				t.Skip("there is no zip")
			}
			tree, err := extract(t, ExtractOptions{Path: "x.zip", Data: run(t, hostFolder(t), command[0], command[1:]...)})
			if err != nil {
				t.Fatal(err)
			}
			wantList(t, tree, "x.zip", hostList...)
		})
	}
}

func TestAnEncryptedZipOfAProgram(t *testing.T) {
	_, err := extract(t, ExtractOptions{Path: "x.zip", Data: run(t, hostFolder(t), "zip", "-q", "-P", "secret", "-", "a.txt")})
	wantMember(t, err, "a.txt", "encrypted member not supported")
}

func TestSparseFilesOfGNUTar(t *testing.T) {
	for _, format := range []string{"--sparse-version=0.0", "--sparse-version=0.1", "--sparse-version=1.0", "--format=gnu"} {
		dir := t.TempDir()
		f, err := os.Create(filepath.Join(dir, "s"))
		must(t, err)
		must(t, f.Truncate(1<<20))
		_, err = f.WriteAt([]byte("mid"), 1<<19)
		must(t, err)
		must(t, f.Close())
		args := []string{"-S", "--format=posix", format, "-cf", "-", "s"}
		if format == "--format=gnu" {
			args = []string{"-S", format, "-cf", "-", "s"}
		}
		data := run(t, dir, "tar", args...)
		tree, err := extract(t, ExtractOptions{Path: "x.tar", Data: data})
		if err != nil {
			t.Fatal(format, err)
		}
		content, err := tree.ReadFile("s")
		if err != nil || len(content) != 1<<20 || len(bytes.Trim(content, "\x00")) != 3 || content[1<<19] != 'm' || len(data) > 100_000 {
			t.Errorf("%s: %d bytes of %d, %v", format, len(content), len(data), err)
		}
	}
}

// S6.86: others can read what Persist makes.
func TestProgramsReadWhatPersistMakes(t *testing.T) {
	data := persist(t, project(t))
	for name, command := range map[string][]string{
		"tar":    {"tar", "-xpf"},
		"bsdtar": {"bsdtar", "-xpf"},
		"python": {"python3", "-c", "import tarfile,sys; tarfile.open(sys.argv[1]).extractall('.')"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			tarPath := filepath.Join(t.TempDir(), "x.tar")
			must(t, os.WriteFile(tarPath, data, 0o644))
			run(t, dir, command[0], append(command[1:], tarPath)...)
			got, err := os.ReadFile(filepath.Join(dir, "src", "run"))
			if err != nil || string(got) != "#!/bin/sh\n" {
				t.Errorf("%q, %v", got, err)
			}
			if info, err := os.Stat(filepath.Join(dir, "src", "deep", "ü.txt")); err != nil || info.Size() != 100_000 || info.Mode().Perm() != 0o600 {
				t.Errorf("%v, %v", info, err)
			}
			if info, err := os.Stat(filepath.Join(dir, "run.sh")); err != nil || info.Mode().Perm() != 0o755 {
				t.Errorf("%v, %v", info, err)
			}
		})
	}
}
