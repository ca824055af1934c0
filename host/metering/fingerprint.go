package metering

//go:generate go test . -run Fingerprint -update

// Fingerprint names the code of this package, which decides what [Rewrite] gives for a
// module and options. Who keeps results between runs has to keep it with them, and to
// do without those of another one.
const Fingerprint = "64493240f99627e96c1752ac705a53cba1391a107efeefbbc5419d2db3481128"
