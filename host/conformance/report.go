package conformance

import "crypto/sha256"

// A Status is how a feature came out.
type Status string

// The statuses.
const (
	Passed        Status = "passed"
	Failed        Status = "failed"
	Unimplemented Status = "unimplemented" // it fails, and was said to
	Stale         Status = "stale"         // it was said to fail, and passes
	NotTested     Status = "not tested"    // it needs a handler of the kitchen-sink guest, and this is another one
)

// OK reports whether the status is as it should be.
func (s Status) OK() bool { return s == Passed || s == Unimplemented || s == NotTested }

// A Report is what a guest can do.
type Report struct {
	Guest string // the name it was loaded under
	Rows  []Row  // in the order of Features

	// Language, SDK and Toolchain are what the guest says of itself.
	Language, SDK, Toolchain string
}

// A Row is how one feature came out.
type Row struct {
	Feature  string
	About    string
	Status   Status
	Checks   int      // how many there were
	Problems []string // what isn't as it should be

	// Digest covers all that the guest did, so that guests can be compared with each
	// other: each reply as it came, its blobs, and all that was logged and printed.
	// Of a guest error it has the kind, and of a panic the message: the rest is the
	// SDK's own.
	Digest [sha256.Size]byte
}

// OK reports whether all features are as they should be.
func (r *Report) OK() bool {
	for _, row := range r.Rows {
		if !row.Status.OK() {
			return false
		}
	}
	return true
}

// Row finds the row of a feature.
func (r *Report) Row(feature string) (Row, bool) {
	for _, row := range r.Rows {
		if row.Feature == feature {
			return row, true
		}
	}
	return Row{}, false
}

// A Divergence is a feature in which guests passed and still answered with other
// bytes.
type Divergence struct {
	Feature       string
	First, Second int // indexes of the reports
}

// Compare finds the features that guests have and whose replies aren't the same,
// byte for byte. These may be guests that pass: the checks leave open which content
// travels as a blob, for one. Features that a guest failed are left out: their rows say
// more.
func Compare(reports ...*Report) []Divergence {
	var list []Divergence
	for _, feature := range Features() {
		first, digest := -1, [sha256.Size]byte{}
		for i, r := range reports {
			row, _ := r.Row(feature)
			switch {
			case row.Status != Passed:
			case first < 0:
				first, digest = i, row.Digest
			case row.Digest != digest:
				list = append(list, Divergence{feature, first, i})
			}
		}
	}
	return list
}
