package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// printInspection prints an inspection for a person.
func (a *app) printInspection(r *inspection) {
	p := a.palette(a.stdout)
	t := newTable(a.stdout)
	_, _ = fmt.Fprintln(a.stdout, p.strong(visible(r.File)))
	if r.Error != nil {
		t.row("  "+p.bad("problem"), wrap(visibleLines(r.Error.Message)))
	}
	if r.Program {
		t.row("  program", "no guest: a script names it under tools, or in a module as program or command")
	}
	if g := r.Guest; g != nil {
		t.row("  guest", visible(join(orNone(g.Name, "(no name)"), g.Version)))
		t.row("  sdk", visible(join(g.SDK, g.SDKVersion)))
		t.row("  language", visible(join(g.Language, parenthesised(g.Toolchain))))
	}
	if r.ABI != nil {
		t.row("  abi", visible("v"+*r.ABI))
	}
	t.row("  size", byteSize(uint64(r.Size)))
	t.row("  memory", memoryText(r.Memory))
	t.row("  state", stateText(r.Volatile))
	t.row("  sha256", r.SHA256)
	t.flush()
	if r.Guest != nil {
		printHandlers(a.stdout, p, r.Guest.Handlers)
	}
	printExterns(a.stdout, p, "Imports", r.Imports)
	printExterns(a.stdout, p, "Exports", r.Exports)
}

func printHandlers(w io.Writer, p palette, handlers []handlerInfo) {
	if len(handlers) == 0 {
		return
	}
	_, _ = fmt.Fprintf(w, "\n%s\n", p.strong("Handlers"))
	t := newTable(w)
	for _, h := range handlers {
		methods := strings.Join(h.Methods, " ")
		if len(h.Methods) == len(abi.Methods()) {
			methods = "all methods"
		}
		t.row("  "+h.Kind, visible(h.Name), methods)
	}
	t.flush()
}

func printExterns(w io.Writer, p palette, title string, externs []externInfo) {
	if len(externs) == 0 {
		return
	}
	_, _ = fmt.Fprintf(w, "\n%s\n", p.strong(title))
	t := newTable(w)
	for _, e := range externs {
		what := e.Kind
		if e.Type != "" {
			what += " " + e.Type
		}
		if e.Module != "" {
			t.row("  "+visible(e.Module), visible(e.Name), what)
		} else {
			t.row("  "+visible(e.Name), what)
		}
	}
	t.flush()
}

func memoryText(m *memoryInfo) string {
	const page = 64 << 10
	switch {
	case m == nil:
		return ""
	case m.MaxPages == nil:
		return byteSize(m.MinPages*page) + ", grows"
	default:
		return byteSize(m.MinPages*page) + ", grows to " + byteSize(*m.MaxPages*page)
	}
}

// stateText says whether sessions of the guest have checkpoints; nil is no guest.
func stateText(volatile []string) string {
	switch {
	case volatile == nil:
		return ""
	case len(volatile) == 0:
		return "can be copied"
	default:
		return "can't be copied, so that there is no checkpoint:\n" + visible(strings.Join(volatile, ", "))
	}
}

// byteSize is a size for a person.
func byteSize(n uint64) string {
	const kib, mib, gib = 1 << 10, 1 << 20, 1 << 30
	switch {
	case n < kib:
		return fmt.Sprintf("%d B", n)
	case n < mib:
		return fmt.Sprintf("%.1f KiB", float64(n)/kib)
	case n < gib:
		return fmt.Sprintf("%.1f MiB", float64(n)/mib)
	default:
		return fmt.Sprintf("%.1f GiB", float64(n)/gib)
	}
}

func join(parts ...string) string {
	return strings.TrimSpace(strings.Join(parts, " "))
}

func orNone(text, none string) string {
	if text == "" {
		return none
	}
	return text
}

func parenthesised(text string) string {
	if text == "" {
		return ""
	}
	return "(" + text + ")"
}
