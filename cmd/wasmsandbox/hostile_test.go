package main

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// hostile steers a terminal, and tries to pass for a line of the command.
const hostile = "\x1b[2J\u009b1m\x9b\nok.yaml: forged\n\rok.yaml: forged"

// checkTamed wants no control characters, and no line that a hostile text made.
func checkTamed(t *testing.T, text string) {
	t.Helper()
	if !strings.Contains(text, `\x1b[2J\u009b1m\x9b`) {
		t.Errorf("the hostile text isn't shown:\n%s", text)
	}
	if visibleLines(text) != text {
		t.Errorf("control characters in %q", text)
	}
	if forged := regexp.MustCompile(`(?m)^ {0,3}(\\r)?ok.yaml`).FindString(text); forged != "" {
		t.Errorf("a line is forged:\n%s", text)
	}
}

func output(f func(*app)) string {
	var out bytes.Buffer
	a := &app{stdout: &out, stderr: &out, color: &choice{value: "never"}}
	f(a)
	return out.String()
}

func TestModulesCannotSteerTheTerminal(t *testing.T) {
	for name, report := range map[string]*inspection{
		"file":      {File: hostile},
		"problem":   {Error: &problem{Message: hostile}},
		"name":      {Guest: &guestInfo{Name: hostile}},
		"version":   {Guest: &guestInfo{Version: hostile}},
		"sdk":       {Guest: &guestInfo{SDK: hostile}},
		"language":  {Guest: &guestInfo{Language: hostile}},
		"toolchain": {Guest: &guestInfo{Toolchain: hostile}},
		"handler":   {Guest: &guestInfo{Handlers: []handlerInfo{{Kind: "matcher", Name: hostile}}}},
		"abi":       {ABI: new(hostile)},
		"module":    {Imports: []externInfo{{Module: hostile, Name: "a", Kind: "func"}}},
		"import":    {Imports: []externInfo{{Module: "a", Name: hostile, Kind: "func"}}},
		"export":    {Exports: []externInfo{{Name: hostile, Kind: "func"}}},
	} {
		t.Run(name, func(t *testing.T) {
			checkTamed(t, output(func(a *app) { a.printInspection(report) }))
		})
	}
}

func TestRunsCannotSteerTheTerminal(t *testing.T) {
	for name, call := range map[string]*callReport{
		"code":       {Outcome: outcomeInfo{Type: gotSandbox, Error: &errorInfo{Code: hostile}}},
		"argument":   {Method: "rm", Args: []any{hostile}},
		"source":     {Source: hostile},
		"difference": {Differences: []differenceInfo{{Field: hostile}}},
		"expected":   {Differences: []differenceInfo{{Expected: hostile}}},
		"actual":     {Differences: []differenceInfo{{Actual: hostile}}},
		"log":        {Logs: []logInfo{{Source: "stdout", Text: hostile}}},
		"guest":      {Logs: []logInfo{{Module: hostile, Source: "stdout", Text: "a"}}},
		"stderr":     {failed: &host.GuestError{Kind: host.GuestPanic, Stderr: hostile}, Outcome: outcomeInfo{Type: gotGuestError}},
		"handler":    {failed: &host.GuestError{Kind: host.GuestPanic, Handler: hostile}, Outcome: outcomeInfo{Type: gotGuestError}},
	} {
		t.Run(name, func(t *testing.T) {
			report := newScriptReport("script.yaml")
			if report.Calls = append(report.Calls, call); call.Outcome.Type == "" {
				call.Outcome.Type = gotResult
			}
			text := output(func(a *app) { a.newReporter("text", 1, false).script(report) })
			checkTamed(t, text)
		})
	}
}

func TestErrorsCannotSteerTheTerminal(t *testing.T) {
	for name, show := range map[string]func(*app){
		"problem": func(a *app) { a.printProblems(a.stdout, "a.yaml", []problemInfo{{File: "a.yaml", Message: hostile}}) },
		"field":   func(a *app) { a.printProblems(a.stdout, "a.yaml", []problemInfo{{File: "a.yaml", Field: hostile}}) },
		"place":   func(a *app) { a.printProblems(a.stdout, "a.yaml", []problemInfo{{File: hostile}}) },
		"error":   func(a *app) { a.report(errors.New(hostile)) },
		"run": func(a *app) {
			report := newScriptReport("script.yaml")
			report.Error = &runError{Message: hostile}
			a.newReporter("text", 1, false).script(report)
		},
	} {
		t.Run(name, func(t *testing.T) { checkTamed(t, output(show)) })
	}
}
