package metering

//go:generate go test . -run Fingerprint -update

// Fingerprint names the code of this package, which decides what [Rewrite] gives for a
// module and options. Who keeps results between runs has to keep it with them, and to
// do without those of another one.
const Fingerprint = "c7052d714ab971e805d92d63f8e2dd59aee3bbac949cd3822492a25900e0d66a"
