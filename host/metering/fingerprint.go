package metering

//go:generate go test . -run Fingerprint -update

// Fingerprint names the code of this package, which decides what [Rewrite] gives for a
// module and options. Who keeps results between runs has to keep it with them, and to
// do without those of another one.
const Fingerprint = "359fe65bcc5b78c7cb5a0731c175c6ed338c591b2fca528e499f62af73b030eb"
