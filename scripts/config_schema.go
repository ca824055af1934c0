package scripts

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// What a guest's config schema may cost. A small schema can be enormous work: 32
// definitions that each refer twice to the next are 2³² checks.
const (
	maxConfigSchema = 256 << 10 // bytes
	maxConfigChecks = 1_000_000
	maxConfigTime   = 5 * time.Second
)

var errSchemaTooSlow = errors.New("scripts: the guest's config schema takes too long")

// checkConfig compares the configuration with the schema that the guest has for
// it, if it has one.
func (m *module) checkConfig(ctx context.Context, loaded *host.Module) bool {
	text := loaded.Description().ConfigSchema
	if text == "" {
		return true
	}
	config, field := m.node.get("config"), at(m.field, "config")
	if config == nil {
		config = &node{position: m.node.position, kind: mapNode}
	}
	found, err := validateConfig(ctx, text, field, config)
	switch {
	case ctx.Err() != nil: // the context's error is told instead
		return false
	case errors.Is(err, errSchemaTooSlow):
		m.problems.add(config.position, field, "can't be checked: the guest's config schema takes too long", err)
		return false
	case err != nil:
		m.fail(m.node, m.field, &host.ModuleError{
			Kind: host.ModuleBadDescription, Module: m.name, Detail: "its config schema isn't valid", Err: err,
		})
		return false
	}
	told := map[violation]bool{}
	for _, v := range found {
		same := violation{position: v.position, message: v.message, field: v.field}
		if !told[same] {
			told[same] = true
			m.problems.add(v.position, v.field, v.message, v.err)
		}
	}
	return len(found) == 0
}

// validateConfig gives up when the context ends or the schema costs too much.
func validateConfig(ctx context.Context, text, field string, config *node) ([]violation, error) {
	if len(text) > maxConfigSchema {
		return nil, fmt.Errorf("it is longer than %d KiB", maxConfigSchema>>10)
	}
	type result struct {
		found []violation
		err   error
	}
	var budget budget
	budget.left.Store(maxConfigChecks)
	done := make(chan result, 1)
	go func() {
		defer func() {
			switch failure := recover(); failure {
			case nil:
			case errSchemaTooSlow:
				done <- result{err: errSchemaTooSlow}
			default: // a defect of the library, which a guest may provoke
				done <- result{err: fmt.Errorf("it can't be used: %v", failure)}
			}
		}()
		schema, err := compileSchema([]byte(text), "", budget.limit)
		if err != nil {
			done <- result{err: err}
			return
		}
		done <- result{found: schema.validate(field, config)}
	}()
	timeout := time.NewTimer(maxConfigTime)
	defer timeout.Stop()
	select {
	case r := <-done:
		return r.found, r.err
	case <-ctx.Done():
		budget.left.Store(0)
		return nil, ctx.Err()
	case <-timeout.C:
		budget.left.Store(0)
		return nil, errSchemaTooSlow
	}
}

// A budget is how many checks a validation may still make. The library can't be
// told to stop, so the check that is too many panics.
type budget struct{ left atomic.Int64 }

// limit adds a keyword to all schemas, which no schema has to hold.
func (b *budget) limit(c *jsonschema.Compiler) {
	c.AssertVocabs()
	c.RegisterVocabulary(&jsonschema.Vocabulary{
		URL: "urn:budget",
		Compile: func(*jsonschema.CompilerContext, map[string]any) (jsonschema.SchemaExt, error) {
			return b, nil
		},
	})
}

// Validate is called for each value that is checked with each schema.
func (b *budget) Validate(*jsonschema.ValidatorContext, any) {
	if b.left.Add(-1) < 0 {
		panic(errSchemaTooSlow)
	}
}
