package metering

//go:generate go test . -run Fingerprint -update

// Fingerprint names the code of this package, which decides what [Rewrite] gives for a
// module and options. Who keeps results between runs has to keep it with them, and to
// do without those of another one.
const Fingerprint = "fa79f495c4d5c24a4cf81b763400f9ae3356b2a08a856d5da985e1bfe98501b6"
