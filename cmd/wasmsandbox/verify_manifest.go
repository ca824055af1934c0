package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/scripts"
	"github.com/wasmsandbox/wasmsandbox/scripts/verify"
)

// readManifest makes a plan of what a manifest says.
func (p *verifyPlan) readManifest(ctx context.Context, name string) (*verify.Manifest, error) {
	data, err := awaitFile(ctx, name, verify.MaxManifest)
	if err != nil {
		return nil, err
	}
	m, err := verify.ParseManifest(data)
	if err != nil {
		return nil, pathError(name, err)
	}
	if p.engines == nil {
		for _, e := range m.Engines {
			if _, err := findEngine(e.Name); err != nil {
				return nil, pathError(name, err)
			}
			p.engines = append(p.engines, e.Name)
		}
	}
	for i := range m.Scripts {
		s := &m.Scripts[i]
		path := fromFolder(filepath.Dir(name), s.File)
		task := verifyTask{Path: path, Seed: &s.Seed, StartTime: &s.StartTime}
		if task.Limits, err = verify.LimitsOfNames(s.Limits); err != nil {
			return nil, pathError(name, err)
		}
		if s.Workspace != "" {
			task.Workspace = fromFolder(filepath.Dir(name), s.Workspace)
		}
		if s.Calls != nil {
			if task.Calls, err = readCallsFile(ctx, fromFolder(filepath.Dir(name), s.Calls.File)); err != nil {
				return nil, err
			}
		}
		p.tasks = append(p.tasks, task)
		report := newVerifyReport(path)
		report.manifest, report.wantedSum = s.Transcript, strings.ToLower(s.Digest)
		p.reports = append(p.reports, report)
	}
	p.check = &manifestCheck{m}
	return m, nil
}

// fromFolder is what fileFrom has named.
func fromFolder(folder, file string) string {
	path := filepath.FromSlash(file)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}

// A changedError says that a script or module isn't the one of the manifest, or that
// its sessions go by other settings.
type changedError struct{ what, want, got string }

func (e *changedError) Error() string {
	return fmt.Sprintf("%s isn't what the manifest was written with: want %s, got %s", e.what, e.want, e.got)
}

// compare makes sure that what is run is what the manifest is about.
func (c *manifestCheck) compare(ctx context.Context, v *verifier, task *verifyTask, report *verifyReport, engine string, index int) {
	script, err := v.script(ctx, task, engine)
	if err == nil {
		var now *verify.ManifestScript
		if now, err = describeScript(ctx, script, task); err == nil {
			err = changes(&c.manifest.Scripts[index], now)
		}
	}
	switch {
	case err == nil:
	case ctx.Err() != nil:
		report.finish(ctx)
	default:
		report.refuse(verifyRun{}, err)
	}
}

// changes is the first thing in which a script differs from that of a manifest.
func changes(want, now *verify.ManifestScript) error {
	wanted, there := moduleDigests(want), moduleDigests(now)
	all := maps.Clone(wanted)
	maps.Copy(all, there)
	for _, name := range slices.Sorted(maps.Keys(all)) { // first, since they say more than the script
		if wanted[name] != there[name] {
			return &changedError{"the module " + name, orNoModule(wanted[name]), orNoModule(there[name])}
		}
	}
	if !strings.EqualFold(want.SHA256, now.SHA256) {
		return &changedError{"the script", want.SHA256, now.SHA256}
	}
	if want.Calls != nil && !strings.EqualFold(want.Calls.SHA256, now.Calls.SHA256) {
		return &changedError{"the file of calls", want.Calls.SHA256, now.Calls.SHA256}
	}
	return nil
}

func orNoModule(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// moduleDigests are the digests of a script's modules, by name.
func moduleDigests(s *verify.ManifestScript) map[string]string {
	digests := map[string]string{}
	for _, m := range s.Modules {
		digests[m.Name] = strings.ToLower(m.SHA256)
		if m.Stdin != "" {
			digests[m.Name] += " with " + strings.ToLower(m.Stdin)
		}
	}
	return digests
}

// describeScript is what a manifest says of a script, without its runs.
func describeScript(ctx context.Context, script *scripts.Script, task *verifyTask) (*verify.ManifestScript, error) {
	data, err := readFile(ctx, script.File, maxModule)
	if err != nil {
		return nil, err
	}
	session, err := script.NewSession(task.options(ctx, script)...)
	if err != nil {
		return nil, err
	}
	settings := session.Settings()
	if err := session.Close(ctx); err != nil {
		return nil, err
	}
	s := &verify.ManifestScript{
		SHA256: digestText(sha256.Sum256(data)), Modules: []verify.ManifestModule{},
		Seed: settings.Seed, StartTime: settings.StartTime.UTC(), Limits: verify.LimitsByName(settings.Limits),
	}
	if task.Calls != nil {
		s.Calls = &verify.ManifestCalls{SHA256: digestText(sha256.Sum256(task.Calls.Text))}
	}
	for _, m := range script.Modules {
		module := verify.ManifestModule{Name: m.Name(), SHA256: digestText(m.SHA256())}
		if sum := m.StdinSHA256(); sum != sha256.Sum256(nil) {
			module.Stdin = digestText(sum)
		}
		s.Modules = append(s.Modules, module)
	}
	for _, c := range script.Commands {
		s.Modules = append(s.Modules, verify.ManifestModule{Name: c.Name(), SHA256: digestText(c.SHA256())})
	}
	for _, p := range script.Programs {
		s.Modules = append(s.Modules, verify.ManifestModule{Name: p.Name(), SHA256: digestText(p.SHA256())})
	}
	return s, nil
}

var errNotSame = errors.New("not written, since the runs aren't the same")

// writeManifest writes a manifest of runs that were the same. It is never seen half
// written.
func (p *verifyPlan) writeManifest(ctx context.Context, v *verifier, name string) error {
	for _, report := range p.reports {
		if report.Status != runsSame {
			return errNotSame
		}
	}
	version := buildVersion()
	m := &verify.Manifest{Tool: version.Version, ABI: version.ABI, Go: version.Go, Platform: version.Platform}
	for _, engine := range p.engines {
		entry, err := findEngine(engine)
		if err != nil {
			return err
		}
		m.Engines = append(m.Engines, verify.ManifestEngine{Name: entry.name, Version: entry.version()})
	}
	for i, report := range p.reports {
		s, err := p.manifestScript(ctx, v, &p.tasks[i], report, filepath.Dir(name))
		if err != nil {
			return err
		}
		m.Scripts = append(m.Scripts, *s)
	}
	text, err := m.Append(nil)
	if err != nil {
		return err
	}
	return writeWhole(name, text)
}

func (p *verifyPlan) manifestScript(ctx context.Context, v *verifier, task *verifyTask, report *verifyReport, folder string) (*verify.ManifestScript, error) {
	script, err := v.script(ctx, task, p.engines[0])
	if err != nil {
		return nil, err
	}
	s, err := describeScript(ctx, script, task)
	if err != nil {
		return nil, err
	}
	if s.File, err = fileFrom(folder, script.File); err != nil {
		return nil, err
	}
	if task.Workspace != "" {
		if s.Workspace, err = fileFrom(folder, task.Workspace); err != nil {
			return nil, err
		}
	}
	if task.Calls != nil {
		if s.Calls.File, err = fileFrom(folder, task.Calls.Name); err != nil {
			return nil, err
		}
	}
	s.Digest, s.Transcript = report.Digest, report.first.Portable(verify.ManifestValue)
	return s, nil
}

// fileFrom names a file from a folder, with slashes.
func fileFrom(folder, file string) (string, error) {
	absolute, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	base, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	if relative, err := filepath.Rel(base, absolute); err == nil {
		return filepath.ToSlash(relative), nil
	}
	return filepath.ToSlash(absolute), nil // on another volume
}

// writeWhole writes a file by renaming one.
func writeWhole(name string, data []byte) (err error) {
	file, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*.tmp")
	if err != nil {
		return withoutPath(err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
			err = withoutPath(err)
		}
	}()
	_, err = file.Write(data)
	if err = errors.Join(err, file.Chmod(0o644), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}
