package host

import "cmp"

// A ModuleErrorKind is why a module can't be used as a guest, command or program: a
// word that stays the same, whatever the texts of errors become. It is an error itself:
//
//	errors.Is(err, host.ModuleMissingExport)
type ModuleErrorKind string

// What can be wrong with a module, before any call.
const (
	ModuleInvalid         ModuleErrorKind = "invalid"
	ModuleNotReactor      ModuleErrorKind = "not_reactor"
	ModuleNotProgram      ModuleErrorKind = "not_program"
	ModuleWrongVersion    ModuleErrorKind = "wrong_version"
	ModuleMissingExport   ModuleErrorKind = "missing_export"
	ModuleWrongSignature  ModuleErrorKind = "wrong_signature"
	ModuleUnknownImport   ModuleErrorKind = "unknown_import"
	ModuleBadDescription  ModuleErrorKind = "bad_description"
	ModuleUnknownHandler  ModuleErrorKind = "unknown_handler"
	ModuleHandlerMismatch ModuleErrorKind = "handler_mismatch"
	ModuleWrongDigest     ModuleErrorKind = "wrong_digest"
	ModuleBadConfig       ModuleErrorKind = "bad_config"
	ModuleOverLimit       ModuleErrorKind = "over_limit"
)

var moduleErrorTexts = map[ModuleErrorKind]string{
	ModuleInvalid:         "isn't a valid module",
	ModuleNotReactor:      "is a program, not a reactor",
	ModuleNotProgram:      "isn't a program",
	ModuleWrongVersion:    "speaks another version of the ABI",
	ModuleMissingExport:   "lacks an export",
	ModuleWrongSignature:  "has an export or import of another type",
	ModuleUnknownImport:   "wants an import that doesn't exist",
	ModuleBadDescription:  "can't describe itself",
	ModuleUnknownHandler:  "has no such handler",
	ModuleHandlerMismatch: "has a handler that doesn't serve the method",
	ModuleWrongDigest:     "has another SHA-256 than it is pinned to",
	ModuleBadConfig:       "has a configuration that can't be passed on",
	ModuleOverLimit:       "wants more than a limit allows",
}

// String is the rest of a sentence about a module, such as "lacks an export".
func (k ModuleErrorKind) String() string { return cmp.Or(moduleErrorTexts[k], string(k)) }

func (k ModuleErrorKind) Error() string { return "module " + k.String() }

// A ModuleError says why a module can't be used as what it was loaded as. errors.Is finds it
// by its Kind.
type ModuleError struct {
	Kind   ModuleErrorKind
	Module string // the name it was loaded under
	Detail string // what exactly, and what to do
	Err    error  // what the engine or guest failed with
}

func (e *ModuleError) Error() string {
	text := "module "
	if e.Module != "" {
		text += e.Module + " "
	}
	return text + e.Problem()
}

// Problem is the error's text without the name of the module: the rest of a sentence
// that begins with what is meant.
func (e *ModuleError) Problem() string {
	text := e.Kind.String()
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap gives what the engine or guest failed with.
func (e *ModuleError) Unwrap() error { return e.Err }

// Is reports true for the error's kind.
func (e *ModuleError) Is(target error) bool {
	kind, ok := target.(ModuleErrorKind)
	return ok && kind == e.Kind
}
