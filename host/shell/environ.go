package shell

import (
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"mvdan.cc/sh/v3/expand"
)

// defaultPath is where scripts look for commands when nothing else is said.
const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// An environ is what a shell knows before its script sets anything: the
// environment it was given, and what the interpreter would else ask the host for.
type environ struct {
	run      *run
	exported map[string]string
	hidden   map[string]string // not for commands
	user     User
	starting bool // the interpreter looks for where to put named pipes
}

func (r *run) environ(p Process) *environ {
	e := &environ{run: r, exported: map[string]string{}, hidden: map[string]string{}, user: p.User}
	for _, pair := range p.Env {
		if name, value, ok := strings.Cut(pair, "="); ok && name != "" {
			e.exported[name] = value
			r.largest = max(r.largest, len(value))
		}
	}
	set := func(name, value string) {
		if _, set := e.exported[name]; !set {
			e.exported[name] = value
		}
	}
	set("PATH", defaultPath)
	set("HOME", r.home())
	set("USER", p.User.Name)
	set("LOGNAME", p.User.Name)
	delete(e.exported, "UID")
	delete(e.exported, "EUID")
	delete(e.exported, "GID")
	delete(e.exported, umaskName)
	e.hidden["UID"] = strconv.Itoa(p.User.UID)
	e.hidden["EUID"] = e.hidden["UID"]
	e.hidden["GID"] = strconv.Itoa(p.User.GID)
	e.hidden[umaskName] = umaskText(p.Umask)
	e.hidden["HOSTNAME"] = hostname
	e.hidden["OSTYPE"] = "linux-gnu"
	e.hidden["__SH_PID"] = strconv.Itoa(shellPID)
	e.hidden["__SH_PPID"] = "1"
	if p.Terminal {
		e.hidden[terminalName] = "1"
	}
	return e
}

const (
	hostname = "sandbox"
	shellPID = 1000
)

// home is the home folder of every user: the workspace, as there is no other.
func (r *run) home() string { return r.shell.Files.Policy().Root() }

// Get is called by the interpreter for what the script hasn't set.
func (e *environ) Get(name string) expand.Variable {
	if e.starting && name == "TMPDIR" {
		return text("/\x00", false) // no path of a script begins so
	}
	if value, ok := e.exported[name]; ok {
		return text(value, true)
	}
	if value, ok := e.hidden[name]; ok {
		return text(value, false)
	}
	if user, ok := strings.CutPrefix(name, "HOME "); ok {
		if user == e.user.Name {
			return text(e.run.home(), false)
		}
		return text("~"+user, false) // as it is: there is nobody of that name
	}
	return e.changing(name)
}

// changing are variables that aren't the same each time.
func (e *environ) changing(name string) expand.Variable {
	now := time.Unix(0, e.run.shell.Files.Now())
	switch name {
	case "!":
		if n := len(e.run.jobs); n > 0 {
			return text(strconv.Itoa(shellPID+n), false)
		}
	case statusName:
		return text(strconv.Itoa(e.run.status), false)
	case statusesName:
		codes := expand.Variable{Set: true, Kind: expand.Indexed}
		for _, code := range e.run.statuses {
			codes.List = append(codes.List, strconv.Itoa(code))
		}
		return codes
	case "__SH_RANDOM":
		return text(strconv.Itoa(e.run.random.IntN(1<<15)), false)
	case "__SH_SRANDOM":
		return text(strconv.FormatUint(uint64(e.run.random.Uint32()), 10), false)
	case "SECONDS":
		return text(strconv.FormatInt((e.run.shell.Files.Now()-e.run.began)/int64(time.Second), 10), false)
	case "EPOCHSECONDS":
		return text(strconv.FormatInt(now.Unix(), 10), false)
	case "EPOCHREALTIME":
		return text(strconv.FormatInt(now.Unix(), 10)+"."+now.Format("000000"), false)
	}
	if digits, ok := strings.CutPrefix(name, sourcePrefix); ok {
		if file, err := hex.DecodeString(digits); err == nil {
			return text(string(file), false)
		}
	}
	return expand.Variable{}
}

// sourcePrefix begins the names of variables that have the names of files which scripts are
// from; those follow in hexadecimal.
const sourcePrefix = "__SH_SOURCE_"

func sourceName(file string) string { return sourcePrefix + hex.EncodeToString([]byte(file)) }

// Each gives what commands get.
func (e *environ) Each(yield func(name string, v expand.Variable) bool) {
	for _, name := range slices.Sorted(maps.Keys(e.exported)) {
		if !yield(name, text(e.exported[name], true)) {
			return
		}
	}
}

func text(value string, exported bool) expand.Variable {
	return expand.Variable{Set: true, Kind: expand.String, Str: value, Exported: exported}
}

// exportedBy lists what a command in a folder is to get, sorted by name.
func exportedBy(env expand.Environ, dir string) []string {
	values := map[string]string{}
	for name, v := range env.Each {
		if v.IsSet() && v.Exported && v.Kind == expand.String {
			values[name] = v.Str
		} else {
			delete(values, name)
		}
	}
	values["PWD"] = dir
	for _, name := range []string{umaskName, operandName} { // set -a exports them
		delete(values, name)
	}
	list := make([]string, 0, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		list = append(list, name+"="+values[name])
	}
	return list
}

func valueOf(env []string, name string) (string, bool) {
	for _, pair := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value, true
		}
	}
	return "", false
}
