package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A recordForm is a call in the history of a checkpoint's file.
type recordForm struct {
	Call   []byte     `json:"call"` // as guests get calls, but with all content inline
	Next   int        `json:"next"` // position of the step that was next; -1: none was asked
	Answer string     `json:"answer"`
	Fuel   int64      `json:"fuel,omitempty"`
	Error  *errorForm `json:"error,omitempty"`
	Logs   []logForm  `json:"logs,omitempty"`
}

// The ways in which a call is answered.
const (
	answeredByNothing   = "nothing"
	answeredByStep      = "step"
	answeredByWorkspace = "workspace"
)

// A logForm is a LogEntry.
type logForm struct {
	Module  string    `json:"module"`
	Source  LogSource `json:"source"`
	Level   LogLevel  `json:"level"`
	Text    string    `json:"text"`
	Dropped int       `json:"dropped,omitempty"`
}

// history writes the member with the records, one a line.
func (out *checkpointWriter) history(c *Checkpoint) error {
	var lines bytes.Buffer
	var scale jsonScale
	encoder := json.NewEncoder(&lines)
	encoder.SetEscapeHTML(false)
	for i := range c.records {
		r, done := &c.records[i], lines.Len()
		if patch, ok := r.request.(*ApplyPatchRequest); ok && len(patch.Operations) >= abi.MaxMessages {
			return &CheckpointError{Kind: CheckpointTooLarge, Detail: "a patch has too many operations"}
		}
		if err := encoder.Encode(newRecordForm(c, r)); err != nil {
			return fmt.Errorf("host: call #%d: %w", i+1, err)
		}
		if scale.add(lines.Bytes()[done:]); lines.Len() > MaxCheckpoint || scale.weight > maxHistoryWeight {
			return &CheckpointError{Kind: CheckpointTooLarge}
		}
	}
	return out.member(historyMember, lines.Bytes())
}

func newRecordForm(c *Checkpoint, r *record) *recordForm {
	form := &recordForm{Call: encodeRecorded(r), Next: int(r.head), Answer: answeredByNothing, Fuel: r.fuel.Load()}
	switch {
	case r.state&stateConsumed != 0:
		form.Answer = answeredByStep
	case r.state&stateWorkspace != 0:
		form.Answer = answeredByWorkspace
	}
	if r.more == nil {
		return form
	}
	if r.more.err != nil {
		form.Error = newErrorForm(c, r.more.err)
		if r.state&stateConsumed != 0 && sameError(r.more.err, c.steps[r.head].Outcome.err) {
			form.Error = &errorForm{Kind: errorKindScripted}
		}
	}
	for _, entry := range r.more.logs {
		form.Logs = append(form.Logs, logForm(entry))
	}
	return form
}

// encodeRecorded is the call of a record as a message.
func encodeRecorded(r *record) []byte {
	message := abi.Call{Index: uint64(r.index)}
	switch request := r.request.(type) {
	case *recordedWrite:
		data := abi.Stream{Position: uint64(request.data.position), Text: request.data.text}
		data.Content.Inline = request.data.data()
		message.Request = &abi.WriteRequest{Path: request.path, Data: data, User: request.user}
	case abi.Request:
		message.Request = request
	}
	return message.Append(nil)
}

// history reads the records, which have to be as many.
func (in *checkpointReader) history(c *Checkpoint, calls int) error {
	content, err := in.find(historyMember)
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(&weighedReader{r: content, most: maxHistoryWeight})
	decoder.DisallowUnknownFields()
	forms := map[int]*errorForm{}
	var records []*record
	consumed := 0
	for i := range calls {
		var form recordForm
		if err := decoder.Decode(&form); err != nil {
			return jsonProblem(err)
		}
		r, err := form.record(c, i, consumed)
		if err != nil {
			return err
		}
		if r.state&stateConsumed != 0 {
			consumed++
		}
		if form.Error != nil {
			forms[i] = form.Error
		}
		records = append(records, r)
	}
	if err := wantEnd(decoder); err != nil {
		return err
	}
	if consumed != c.next {
		return malformed("its history isn't that of the steps consumed")
	}
	c.records = make([]record, len(records))
	for i, r := range records {
		r.copyTo(&c.records[i])
	}
	return c.restoreErrors(forms)
}

// restoreErrors makes the errors of the records, which may be about other calls.
func (c *Checkpoint) restoreErrors(forms map[int]*errorForm) error {
	for i, form := range forms {
		r := &c.records[i]
		if form.Kind != errorKindScripted {
			if r.details().err = form.restore(c); r.more.err == nil {
				return malformed("an error can't be")
			}
			continue
		}
		if r.state&stateConsumed == 0 || c.steps[r.head].Outcome.err == nil {
			return malformed("an error is that of no step")
		}
		r.details().err = c.steps[r.head].Outcome.err
	}
	return nil
}

// record is the record of a call that came when so many steps were consumed.
func (f *recordForm) record(c *Checkpoint, index, consumed int) (*record, error) {
	request, err := decodeRecorded(f.Call, index)
	if err != nil {
		return nil, err
	}
	r := &record{request: request, index: int32(index), head: int32(f.Next), state: stateDone}
	r.fuel.Store(f.Fuel)
	next := consumed
	if consumed == len(c.steps) {
		next = -1
	}
	switch {
	case f.Answer == answeredByStep && next >= 0 && c.steps[next].Method == request.Method():
		r.state |= stateConsumed
	case f.Answer == answeredByWorkspace && c.config.workspace != nil:
		r.state |= stateWorkspace
		next = -1
	case f.Answer != answeredByNothing:
		return nil, malformed("a call is answered by who can't answer it")
	}
	if f.Next != next || f.Fuel < 0 || f.Fuel > mostFuel {
		return nil, malformed("a call wasn't for the step that was next")
	}
	for _, entry := range f.Logs {
		if entry.Source > SourceStderr || entry.Level > LogError || entry.Dropped < 0 {
			return nil, malformed("a log entry can't be")
		}
		r.details().logs = append(r.more.logs, LogEntry(entry))
	}
	return r, nil
}

// decodeRecorded is the request in a message.
func decodeRecorded(data []byte, index int) (Request, error) {
	var message abi.Call
	if err := message.Unmarshal(data); err != nil {
		return nil, &CheckpointError{Kind: CheckpointMalformed, Err: err}
	}
	if message.Index != uint64(index) || message.TimeNS != 0 {
		return nil, malformed("its calls aren't in their order")
	}
	write, ok := message.Request.(*abi.WriteRequest)
	if !ok {
		request, ok := message.Request.(Request)
		if !ok {
			return nil, errors.New("host: a request that no session takes")
		}
		return request, nil
	}
	if write.Data.Content.Blob != nil || int64(write.Data.Position) < 0 {
		return nil, malformed("the data of a write can't be")
	}
	data = write.Data.Content.Inline
	stream := Stream{content: newContent(data), position: int64(write.Data.Position), text: write.Data.Text}
	return &recordedWrite{path: write.Path, data: stream, user: write.User}, nil
}
