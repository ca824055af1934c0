// Package conformance tests guests against the ABI, whatever language they are
// written in. [Run] asks a guest through its exports, with encoded messages, and
// compares what comes back byte for byte with what has to.
//
// The kitchen-sink guest, which guest/kitchen/README.md of this module describes,
// has a handler for each feature. A guest of another name is tested for what any
// guest has to do; the other features are listed as not tested. [Compare] finds guests
// that pass and still behave differently.
//
// What a guest's language can't do is named in Options.Unimplemented. Such a
// feature is tested all the same: it must fail, so that the list stays true.
package conformance
