package metering

//go:generate go test . -run Fingerprint -update

// Fingerprint names the code of this package, which decides what [Rewrite] gives for a
// module and options. Who keeps results between runs has to keep it with them, and to
// do without those of another one.
const Fingerprint = "89d7d960bfc369e4d4377d6fbbfa064206e84a2478a66646125be879ddc25384"
