// Package snapshot keeps workspaces for later: a [Snapshot] stores the tar that a
// workspace persists to, and gives it back (S6.87 to S6.89).
//
// [NewLocal] stores in a folder of the host, [NewRemote] through a [Client] of the
// embedder's; [NewNoop] stores nothing. [Fingerprint] tells whether a workspace is
// still the one that was stored.
package snapshot
