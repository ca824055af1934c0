package main

import (
	"io"
	"os"

	"github.com/fatih/color"
	"github.com/mattn/go-isatty"
)

// A palette colours text by what it means.
type palette struct {
	good, bad, note, faint, strong func(...any) string
}

func (a *app) palette(w io.Writer) palette {
	enabled := a.coloured(w)
	paint := func(attributes ...color.Attribute) func(...any) string {
		c := color.New(attributes...)
		if enabled {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
		return c.SprintFunc()
	}
	return palette{
		good:   paint(color.FgGreen),
		bad:    paint(color.FgRed, color.Bold),
		note:   paint(color.FgYellow),
		faint:  paint(color.Faint),
		strong: paint(color.Bold),
	}
}

// coloured tells whether to colour what is written there.
func (a *app) coloured(w io.Writer) bool {
	switch {
	case a.color != nil && a.color.value == "always":
		return true
	case a.color != nil && a.color.value == "never",
		os.Getenv("NO_COLOR") != "", os.Getenv("TERM") == "dumb":
		return false
	}
	if s, ok := w.(*stickyWriter); ok {
		w = s.w
	}
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
