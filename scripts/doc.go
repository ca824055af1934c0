// Package scripts reads session scripts from YAML and JSON files, and runs them.
//
//	script, err := scripts.Load(ctx, "testdata/greets.yaml")
//	…
//	session, err := script.NewSession()
//	…
//	defer session.Close(ctx)
//
// The session is then called by what is to be tested. [Run] calls it instead,
// with the calls of the script or with those that [ReadCalls] reads.
//
// README.md describes the format; [Schema] is the JSON Schema for editors.
package scripts
