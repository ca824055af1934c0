package archive

import (
	"path"
	"strings"
)

// The kinds of archives.
const (
	SchemeTar = "tar"
	SchemeZip = "zip"
)

// scheme is what kind of archive it is: the one that is said, else what the path
// ends in (S6.24).
func scheme(name, explicit string) (string, error) {
	if explicit == "" {
		explicit = suffix(name)
	}
	if explicit != SchemeTar && explicit != SchemeZip {
		return "", &SchemeError{Path: name, Scheme: explicit}
	}
	return explicit, nil
}

// suffix is what follows the last dot of a path's last name. A name's first dot
// doesn't count, and neither does its last character.
func suffix(name string) string {
	for strings.HasSuffix(name, "/") || strings.HasSuffix(name, "/.") {
		name = strings.TrimSuffix(strings.TrimSuffix(name, "."), "/")
	}
	last := path.Base(name)
	if dot := strings.LastIndexByte(last, '.'); dot > 0 && dot < len(last)-1 {
		return last[dot+1:]
	}
	return ""
}
