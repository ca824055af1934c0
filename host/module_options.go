package host

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A ModuleOption changes how a module is loaded. One that means nothing to what
// the module is loaded as, such as an environment to a guest, is an error with
// ModuleBadConfig.
type ModuleOption func(*moduleConfig)

type moduleConfig struct {
	given  optionSet
	pin    *string
	values map[string]any
	env    map[string]string
	stdin  []byte
	limits Limits

	entries []abi.Entry // the values, checked
}

// optionSet is which of the options were given that not all can have.
type optionSet uint8

const (
	configOption optionSet = 1 << iota
	envOption
	stdinOption
)

// without fails if one of the options was given.
func (c *moduleConfig) without(options optionSet) error {
	for _, o := range []struct {
		option optionSet
		detail string
	}{
		{configOption, "a program takes an environment and standard input, and nothing else"},
		{envOption, "only a program has an environment"},
		{stdinOption, "a command gets its calls as standard input"},
	} {
		if c.given&options&o.option != 0 {
			return &ModuleError{Kind: ModuleBadConfig, Detail: o.detail}
		}
	}
	return nil
}

// WithConfig configures a guest or a command. Values are nil, bool, int, int64,
// string, []byte, and []any and map[string]any of these. The map is copied.
func WithConfig(values map[string]any) ModuleOption {
	return func(c *moduleConfig) {
		if c.values = values; values != nil {
			c.given |= configOption
		}
	}
}

// WithSHA256 refuses a module whose SHA-256 isn't the one given, in hexadecimal digits. An
// empty text refuses all.
func WithSHA256(hexDigest string) ModuleOption {
	return func(c *moduleConfig) { c.pin = &hexDigest }
}

// WithEnv sets the environment of a program, which is empty otherwise. The map is
// copied. Names and values have no NUL byte, and names no "=".
func WithEnv(env map[string]string) ModuleOption {
	return func(c *moduleConfig) {
		if c.env = env; env != nil {
			c.given |= envOption
		}
	}
}

// WithStdin sets what a guest reads from standard input, once in each session, and
// a program in every call. It is empty otherwise. A guest that interprets a
// language reads its program from it. The bytes are copied.
func WithStdin(data []byte) ModuleOption {
	data = bytes.Clone(data)
	return func(c *moduleConfig) {
		if c.stdin = data; data != nil {
			c.given |= stdinOption
		}
	}
}

// WithModuleLimits sets limits of the module's own, for what it is loaded as: of these
// and the session's the stricter hold. CallFuel is for what a guest does for one call, or
// for one run of a command or program. A module has no SessionFuel and no CallTime.
func WithModuleLimits(l Limits) ModuleOption { return func(c *moduleConfig) { c.limits = l } }

// environment is the environment as a program gets it, ordered by name.
func (c *moduleConfig) environment() ([]string, error) {
	list := make([]string, 0, len(c.env))
	for _, name := range slices.Sorted(maps.Keys(c.env)) {
		detail := ""
		switch value := c.env[name]; {
		case name == "":
			detail = "a name in its environment is empty"
		case strings.ContainsAny(name, "=\x00"):
			detail = "a name in its environment has a = or a NUL byte"
		case strings.Contains(value, "\x00"):
			detail = "a value in its environment has a NUL byte"
		}
		if detail != "" {
			return nil, &ModuleError{Kind: ModuleBadConfig, Detail: detail}
		}
		list = append(list, name+"="+c.env[name])
	}
	return list, nil
}
