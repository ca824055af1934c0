package scripts

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// A Script is a session script that was read and found valid: its guests are
// compiled. It is safe for concurrent use, as long as nobody changes its fields.
type Script struct {
	File     string         // as it was given
	Steps    []host.Step    // their Source is "file:line"
	Calls    []Call         // for the driver; may be empty
	Modules  []*host.Module // the guests, ordered by name; so are the others
	Commands []*host.Command
	Programs []*host.Program

	// Warnings are what may not be as it was meant, in the order of the file.
	Warnings []*Problem

	// Workspace is what the script says of one. Nil: it has none. It isn't looked at
	// any more: an option of NewSession can replace it.
	Workspace *host.Workspace

	options []host.Option
}

// NewSession makes a session of the script. Each session has its own instances
// of the guests. The options come after those of the script, and so win. The
// caller closes the session.
func (s *Script) NewSession(opts ...host.Option) (*host.Scripted, error) {
	return host.NewScripted(s.Steps, append(s.options[:len(s.options):len(s.options)], opts...)...)
}

// An Option changes how a script is loaded.
type Option func(*config)

type config struct {
	runtime      *host.Runtime
	allowOutside bool
	forbidBuild  bool
	limits       host.Limits // once the script is read, those of its sessions
}

// WithRuntime compiles the guests with a runtime of the caller's. The default
// is [host.DefaultRuntime].
func WithRuntime(r *host.Runtime) Option { return func(c *config) { c.runtime = r } }

// AllowOutside lets the script name files outside of its folder.
func AllowOutside() Option { return func(c *config) { c.allowOutside = true } }

// ForbidBuild refuses modules that have to be built from source, which runs a
// compiler.
func ForbidBuild() Option { return func(c *config) { c.forbidBuild = true } }

// names are how a script in a folder may be called, in the order in which they
// are looked for.
var names = []string{"script.yaml", "script.yml", "script.json"}

// Load reads a script: a YAML or JSON file, or a folder with a script.yaml,
// script.yml or script.json. Its guests are built, compiled and checked.
//
// What is wrong is an *[Error] with all of it. When the context ends, the error
// is the context's.
func Load(ctx context.Context, path string, opts ...Option) (*Script, error) {
	file, data, err := readScript(path)
	if err != nil {
		return nil, &Error{[]*Problem{{File: file, Step: -1, Message: err.Error(), Err: err}}}
	}
	return Parse(ctx, file, data, opts...)
}

func readScript(path string) (file string, data []byte, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return path, nil, err
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return path, nil, errNotRegular
	}
	if !info.IsDir() {
		data, err := readFile(path)
		return path, data, err
	}
	for _, name := range names {
		file := filepath.Join(path, name)
		data, err := readFile(file)
		if !errors.Is(err, fs.ErrNotExist) {
			return file, data, err
		}
	}
	return path, nil, errNoScript
}

var errNoScript = errors.New("the folder has no script.yaml, script.yml or script.json")

// Parse is Load for a script that has been read already. The name is for
// errors; the folder it is in is where the script's paths start.
func Parse(ctx context.Context, name string, data []byte, opts ...Option) (*Script, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := &parser{problems: problems{file: name}, modules: map[string]*module{}, tools: map[string]*module{}}
	for _, opt := range opts {
		if opt != nil {
			opt(&p.config)
		}
	}
	document, syntax := parseDocument(name, data)
	if syntax != nil {
		p.add(syntax.position, "", syntax.message, syntax.err)
		return nil, p.err()
	}
	script := p.script(ctx, document)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := p.err(); err != nil {
		return nil, err
	}
	return script, nil
}

// parser makes a script of a document.
type parser struct {
	problems
	config     config
	violations map[string][]violation // of the schema, by item
	modules    map[string]*module
	tools      map[string]*module
	answers    map[host.Method]host.Precedence // who answers, where the script says so
}

func (p *parser) script(ctx context.Context, document *node) *Script {
	p.violations = map[string][]violation{}
	for _, v := range scriptSchema().validate("", document) {
		p.violations[v.item] = append(p.violations[v.item], v)
		if !isWithin(v.field, "steps[") && !isWithin(v.field, "calls[") {
			p.put(v.position, Problem{Field: v.field, Step: -1, Message: v.message, Err: v.err, whole: "script"})
		}
	}
	script := &Script{File: p.file}
	manifest := p.manifest(document.get("manifest"))
	script.options = append(p.settings(document), host.WithManifest(manifest))
	script.Modules = p.loadModules(ctx, document)
	script.Commands, script.Programs = p.runnables()
	script.Workspace = p.workspace(ctx, document, manifest)
	script.Warnings = p.toolWarnings(document.get("tools"))
	if script.Workspace != nil {
		p.answers = script.Workspace.Answers
		script.options = append(script.options, host.WithWorkspace(*script.Workspace))
		p.tryEntries(ctx, document, manifest, *script.Workspace)
	}
	script.Steps = p.steps(document.get("steps"))
	script.Warnings = append(script.Warnings, p.volatileWarnings()...)
	inOrder(script.Warnings)
	script.Calls = p.calls(document.get("calls"))
	return script
}
