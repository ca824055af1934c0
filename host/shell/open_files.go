package shell

const (
	// maxDocuments is how many here-documents exec may make the input, each of which takes a
	// descriptor of the host until the end of the run.
	maxDocuments = 64
	// maxOutputs is how many files a run may have open to write to them.
	maxOutputs = 1024
)

// keep notes an input that the interpreter opened, and won't close: what exec opens stays
// open. It is closed at the end of the run.
func (r *run) keep(in input) error {
	if in.file == nil || in.from != nil {
		return nil
	}
	if r.documents[in.file] = struct{}{}; len(r.documents) > maxDocuments {
		return r.exceeded("open", maxDocuments)
	}
	return nil
}

// keepOutput is keep for a file of the workspace.
func (r *run) keepOutput(f *outputFile) error {
	r.outputs[f] = struct{}{}
	if len(r.outputs) > maxOutputs {
		return r.exceeded("open", maxOutputs)
	}
	return nil
}

// closeFiles closes all that is open.
func (r *run) closeFiles() {
	for f := range r.outputs {
		_ = f.Close()
	}
	for file := range r.documents {
		_ = file.Close() // again, if it is closed
	}
	clear(r.documents)
}
