package soak

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// kitchenKinds are sessions with the kitchen-sink guest of each language.
func kitchenKinds(ctx context.Context, r *host.Runtime) ([]kind, error) {
	var kinds []kind
	for _, language := range []string{"assemblyscript", "c", "go", "rust", "zig"} {
		m, err := loadKitchen(ctx, r, language)
		if err != nil {
			return nil, err
		}
		used, err := newKitchen(m)
		if err != nil {
			return nil, err
		}
		kinds = append(kinds,
			kind{language, 8, used.work},
			kind{language + ", a seed of its own", 4, func(ctx context.Context, n int) (int64, error) {
				_, err := counts(ctx, m, 2, host.WithSeed(uint64(n)))
				return 0, err
			}},
			kind{language + ", forked", 2, func(ctx context.Context, _ int) (int64, error) { return forks(ctx, m) }},
			kind{language + ", panics", 1, used.panics})
	}
	m, err := load(ctx, r, "js", "../../guest/js/kitchen/kitchen.js")
	return append(kinds, kind{"javascript", 2, func(ctx context.Context, _ int) (int64, error) { return counts(ctx, m, 2) }}), err
}

func loadKitchen(ctx context.Context, r *host.Runtime, language string) (*host.Module, error) {
	if language == "go" {
		return loadGo(ctx, r)
	}
	return load(ctx, r, language, kitchens+language+".wasm")
}

// counts is a session whose guest counts its calls.
func counts(ctx context.Context, m *host.Module, calls int, opts ...host.Option) (int64, error) {
	step, err := answeredBy(m, host.MethodExec, "count")
	if err != nil {
		return 0, err
	}
	steps := make([]host.Step, calls)
	for i := range steps {
		steps[i] = step
	}
	return converse(ctx, steps, func(s *host.Scripted) error {
		for i := range calls {
			if err := execs(ctx, s, i+1, "x"); err != nil {
				return err
			}
		}
		return nil
	}, opts...)
}

// forks is a session from whose checkpoint two others go on.
func forks(ctx context.Context, m *host.Module) (int64, error) {
	step, err := answeredBy(m, host.MethodExec, "count")
	if err != nil {
		return 0, err
	}
	var c *host.Checkpoint
	if _, err := converse(ctx, []host.Step{step, step}, func(s *host.Scripted) (err error) {
		if err := execs(ctx, s, 1, "x"); err != nil {
			return err
		}
		c, err = s.Checkpoint(ctx)
		return err
	}); err != nil {
		return 0, err
	}
	var fuel int64
	for range 2 {
		s, err := c.NewSession()
		if err != nil {
			return 0, err
		}
		err = errors.Join(execs(ctx, s, 2, "x"), s.AssertComplete())
		if err := errors.Join(err, s.Close(ctx)); err != nil {
			return 0, err
		}
		fuel += s.Fuel()
	}
	return fuel, nil
}

// A kitchen has the steps of sessions that do much of what a guest can.
type kitchen struct{ steps, deadly []host.Step }

func newKitchen(m *host.Module) (*kitchen, error) {
	k := &kitchen{}
	git, err := m.Matcher("only_git")
	errs := []error{err}
	add := func(to *[]host.Step, method host.Method, responder string) {
		step, err := answeredBy(m, method, responder)
		errs = append(errs, err)
		*to = append(*to, step)
	}
	add(&k.steps, host.MethodExec, "setting")
	k.steps[0].Match = git
	add(&k.steps, host.MethodWrite, "checksum")
	add(&k.steps, host.MethodRead, "generate")
	add(&k.steps, host.MethodExec, "raise")
	add(&k.steps, host.MethodExec, "big")
	add(&k.steps, host.MethodExec, "log")
	add(&k.deadly, host.MethodExec, "panic")
	add(&k.deadly, host.MethodExec, "count")
	return k, errors.Join(errs...)
}

// long is content that travels as a blob.
var long = bytes.Repeat([]byte("0123456789"), 7000)

func (k *kitchen) work(ctx context.Context, _ int) (int64, error) {
	return converse(ctx, k.steps, func(s *host.Scripted) error {
		if _, ok := errors.AsType[*host.MatcherRejectedError](execs(ctx, s, 0, "svn")); !ok {
			return errors.New("the matcher takes svn for git")
		}
		if err := prints(ctx, s, "main", "git"); err != nil {
			return err
		}
		if err := s.Write(ctx, host.WriteRequest{Path: "long", Data: bytes.NewReader(long)}); err != nil {
			return err
		}
		if err := reads(ctx, s, "1000", 3890); err != nil {
			return err
		}
		if err := ends(execs(ctx, s, 0, string(host.CodeExecNonZero), "exec", "no luck", "no", "full"), host.CodeExecNonZero); err != nil {
			return err
		}
		if err := execs(ctx, s, 3, "70000", "10", "3"); err != nil {
			return err
		}
		return errors.Join(execs(ctx, s, 0, "one", strings.Repeat("two", 1000)), s.AssertComplete())
	})
}

func (k *kitchen) panics(ctx context.Context, _ int) (int64, error) {
	return converse(ctx, k.deadly, func(s *host.Scripted) error {
		return errors.Join(ends(execs(ctx, s, 0, "x"), host.GuestPanic), ends(execs(ctx, s, 0, "x"), host.GuestDead))
	})
}

// reads wants a file to have a number of bytes.
func reads(ctx context.Context, s *host.Scripted, path string, size int64) error {
	r, err := s.Read(ctx, host.ReadRequest{Path: path})
	if err != nil {
		return err
	}
	n, err := io.Copy(io.Discard, r)
	if err == nil && n != size {
		err = fmt.Errorf("%s has %d bytes, want %d", path, n, size)
	}
	return errors.Join(err, r.Close())
}
