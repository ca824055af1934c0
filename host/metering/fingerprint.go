package metering

//go:generate go test . -run Fingerprint -update

// Fingerprint names the code of this package, which decides what [Rewrite] gives for a
// module and options. Who keeps results between runs has to keep it with them, and to
// do without those of another one.
const Fingerprint = "9a7b50243f97cae18a146378eef90207e15079b9955c2088b0e5adc5f3f70818"
