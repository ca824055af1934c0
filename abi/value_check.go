package abi

import (
	"strconv"
	"unicode/utf8"
)

// A ValueError says why a value can't be carried as it is.
type ValueError struct {
	Path    string // from the value checked, such as .env[2], or ""
	Problem string
}

func (e *ValueError) Error() string {
	if e.Path == "" {
		return "abi: value: " + e.Problem
	}
	return "abi: value at " + e.Path + ": " + e.Problem
}

// CheckValue fails with a *ValueError when Append would panic on the value or
// not carry it as it is: when it holds another type than those that Value lists,
// nests deeper than MaxDepth, has text that isn't UTF-8, or keys that aren't
// strictly ascending.
func CheckValue(v Value) error {
	if e := checkValue(v, 0); e != nil {
		return e
	}
	return nil
}

// CheckEntries is CheckValue for the entries of a configuration or of an error's
// context.
func CheckEntries(entries []Entry) error {
	if e := checkEntries(entries, 0); e != nil {
		return e
	}
	return nil
}

// checkValue builds the path of a failure from the inside out.
func checkValue(v Value, depth int) *ValueError {
	if depth >= MaxDepth {
		return &ValueError{Problem: "nested more than " + strconv.Itoa(MaxDepth) + " deep"}
	}
	switch v := v.(type) {
	case nil, bool, int64, []byte:
		return nil
	case string:
		if !utf8.ValidString(v) {
			return &ValueError{Problem: "text that isn't UTF-8"}
		}
		return nil
	case []Value:
		return checkValueList(v, depth+1)
	case []Entry:
		return checkEntries(v, depth+1)
	default:
		return &ValueError{Problem: "a type that has no encoding"}
	}
}

func checkValueList(values []Value, depth int) *ValueError {
	for i, v := range values {
		if e := checkValue(v, depth); e != nil {
			e.Path = "[" + strconv.Itoa(i) + "]" + e.Path
			return e
		}
	}
	return nil
}

func checkEntries(entries []Entry, depth int) *ValueError {
	for i := range entries {
		key := entries[i].Key
		switch {
		case !utf8.ValidString(key):
			return &ValueError{Path: "." + strconv.Quote(key), Problem: "a key that isn't UTF-8"}
		case i > 0 && key <= entries[i-1].Key:
			return &ValueError{Path: "." + key, Problem: "keys that aren't strictly ascending"}
		}
		if e := checkValue(entries[i].Value, depth); e != nil {
			e.Path = "." + key + e.Path
			return e
		}
	}
	return nil
}
