package host

import "cmp"

// A ModuleErrorKind is why a module can't be used as a guest, command or program: a
// word that stays the same, whatever the texts of errors become. It is an error itself:
//
//	errors.Is(err, host.ModuleMissingExport)
type ModuleErrorKind string

// What can be wrong with a module, before any call.
const (
	ModuleInvalid         ModuleErrorKind = "invalid"          // nothing that the engine can compile
	ModuleNotReactor      ModuleErrorKind = "not_reactor"      // a program, where a guest is wanted
	ModuleNotProgram      ModuleErrorKind = "not_program"      // where one is wanted, or a command
	ModuleWrongVersion    ModuleErrorKind = "wrong_version"    // of the ABI, by the names of its exports
	ModuleMissingExport   ModuleErrorKind = "missing_export"   // which every guest has to have
	ModuleWrongSignature  ModuleErrorKind = "wrong_signature"  // an export or import has another type
	ModuleUnknownImport   ModuleErrorKind = "unknown_import"   // wants what the host doesn't offer
	ModuleBadDescription  ModuleErrorKind = "bad_description"  // can't say what it is, or says what can't be
	ModuleUnknownHandler  ModuleErrorKind = "unknown_handler"  // has none of that name
	ModuleHandlerMismatch ModuleErrorKind = "handler_mismatch" // has one that doesn't serve the step's method
	ModuleWrongDigest     ModuleErrorKind = "wrong_digest"     // isn't the one that WithSHA256 asks for
	ModuleBadConfig       ModuleErrorKind = "bad_config"       // was given an option that it can't have
	ModuleOverLimit       ModuleErrorKind = "over_limit"       // wants more from the start than it may have
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
