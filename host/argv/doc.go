// Package argv makes of a request what is to be run, as the original does before
// it hands a command to a sandbox (S6.1–S6.5): a list of arguments with the shell
// and the user's sudo in it.
//
// For most uses call [OfExec] or [OfTerminal].
package argv
