// Package verify shows that runs of a script are the same, bit by bit, or where they
// part.
//
// [Run] makes a script's calls in a fresh session, and writes down all that may not
// depend on the machine, the engine or the moment: the calls, what came of them, what
// guests said, the fuel they used, what [host.Scripted.GuestDigests] has of them at the
// end, and the workspace. That is a [Transcript]. [Compare] tells how one differs from
// another, field by field, and [Transcript.Digest] names it. For sessions that aren't of
// a script there is [Session].
//
// A [Manifest] keeps transcripts and what they were made with, to be compared on another
// day or machine.
//
// A run that doesn't go as scripted is the same as another all the same: nothing here
// asks whether it held.
package verify
