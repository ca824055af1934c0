package metering

//go:generate go test . -run Fingerprint -update

// Fingerprint names the code of this package, which decides what [Rewrite] gives for a
// module and options. Who keeps results between runs has to keep it with them, and to
// do without those of another one.
const Fingerprint = "9b318111d5baa9db4fe800aff07852411ad3ca1d84878a4c166b390ca00035e2"
