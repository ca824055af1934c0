package metering

//go:generate go test . -run Fingerprint -update

// Fingerprint names the code of this package, which decides what [Rewrite] gives for a
// module and options. Who keeps results between runs has to keep it with them, and to
// do without those of another one.
const Fingerprint = "dc3cc1cec6229462f3a97e28da0906063d7bd2e01db40298108400f40c3d4bb7"
