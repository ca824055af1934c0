package scripts

import (
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/wasmsandbox/wasmsandbox/host/similar"
)

// withoutTypos leaves out that a map lacks a key, if it has the key with a typo: that one
// is told as an unknown key.
func (s schema) withoutTypos(failures []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	meant := map[string][]string{} // the keys of maps, by the places of those
	for _, e := range failures {
		if extra, ok := e.ErrorKind.(*kind.AdditionalProperties); ok {
			known, where := s.properties(e.SchemaURL), strings.Join(e.InstanceLocation, "\x00")
			for _, key := range extra.Properties {
				meant[where] = append(meant[where], meantKeys(key, known)...)
			}
		}
	}
	return slices.DeleteFunc(failures, func(e *jsonschema.ValidationError) bool {
		lacking, ok := e.ErrorKind.(*kind.Required)
		return ok && !slices.ContainsFunc(lacking.Missing, func(key string) bool {
			return !slices.Contains(meant[strings.Join(e.InstanceLocation, "\x00")], key)
		})
	})
}

// meantKeys are the keys that an unknown one may stand for.
func meantKeys(given string, known []string) []string {
	for _, name := range known {
		if isShort(given, name) {
			return []string{name}
		}
	}
	return similar.Names(given, known)
}
