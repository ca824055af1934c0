package metering

//go:generate go test . -run Fingerprint -update

// Fingerprint names the code of this package, which decides what [Rewrite] gives for a
// module and options. Who keeps results between runs has to keep it with them, and to
// do without those of another one.
const Fingerprint = "4a79fc7ec013716c22aee6e2e24f07dfeb429c5041b7c1cbc8c397eef1d467c3"
