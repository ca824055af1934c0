package metering

//go:generate go test . -run Fingerprint -update

// Fingerprint names the code of this package, which decides what [Rewrite] gives for a
// module and options. Who keeps results between runs has to keep it with them, and to
// do without those of another one.
const Fingerprint = "384a35299287d2da4e758b43353467ecfea6c52c4a8fa96c3caf59ab4cb7614e"
