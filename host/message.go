package host

import (
	"context"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// This file turns what sessions hold into messages, and back.

// callMessage is the call as a guest gets it. Requests without streams are
// shared with the record: encoding only reads them.
func (g *guest) callMessage(ctx context.Context, call Call) (*abi.Call, error) {
	message := &g.message
	message.Index = uint64(call.index)
	message.TimeNS = g.callTime(call.index)
	switch r := call.request.(type) {
	case *ExecRequest: // most calls: known to be one without a look at its methods
		message.Request = r
	case *recordedWrite:
		data, err := g.streamMessage(ctx, r.data)
		if err != nil {
			return nil, err
		}
		message.Request = &abi.WriteRequest{Path: r.path, Data: data, User: r.user}
	case abi.Request:
		message.Request = r
	}
	return message, nil
}

func (g *guest) streamMessage(ctx context.Context, s Stream) (message abi.Stream, err error) {
	message = abi.Stream{Position: uint64(s.position), Text: s.text}
	if len(s.data()) > g.limits.InlineBytes {
		message.Content.Blob, err = g.blobs.offer(ctx, s.content)
	} else {
		message.Content.Inline = s.data()
	}
	return message, err
}

// outcomeResult gives the result of a call of the method that an outcome holds. The error
// is a *SandboxError that it holds instead, a wrongReply, or the context's.
func (g *guest) outcomeResult(ctx context.Context, method Method, outcome *abi.Outcome, result *callResult) (err error) {
	switch {
	case outcome.Error != nil:
		return sandboxErrorOf(outcome.Error)
	case !outcome.Fits(method):
		return wrongReply("its outcome isn't a result of " + method.String())
	case outcome.Exec != nil:
		result.exec, err = g.execResultOf(ctx, outcome.Exec)
	case outcome.Stream != nil:
		result.other, err = g.streamOf(ctx, outcome.Stream)
	case outcome.Listing != nil:
		result.other, err = outcome.Listing.Entries, checkListing(outcome.Listing)
	case outcome.Text != nil:
		result.other = *outcome.Text
	case outcome.PTY != nil:
		result.other, err = g.ptyUpdateOf(ctx, outcome.PTY)
	}
	return err
}

func checkListing(listing *abi.Listing) error {
	for _, entry := range listing.Entries {
		if entry.Size > math.MaxInt64 {
			return wrongReply("its listing has a file larger than any")
		}
	}
	return nil
}

func (g *guest) streamOf(ctx context.Context, message *abi.Stream) (Stream, error) {
	c, err := newContent(message.Content.Inline), g.checkInline(message.Content)
	if message.Content.Blob != nil {
		c, err = g.blobs.resolve(ctx, message.Content.Blob)
	}
	if err != nil {
		return Stream{}, err
	}
	if message.Position > math.MaxInt64 {
		return Stream{}, wrongReply("its stream has a position beyond any file")
	}
	return Stream{content: c, position: int64(message.Position), text: message.Text}, nil
}

func (g *guest) execResultOf(ctx context.Context, message *abi.ExecResult) (ExecResult, error) {
	stdout, err := g.bytesOf(ctx, message.Stdout)
	if err != nil {
		return ExecResult{}, err
	}
	stderr, err := g.bytesOf(ctx, message.Stderr)
	return ExecResult{Stdout: stdout, Stderr: stderr, ExitCode: int(message.ExitCode)}, err
}

func (g *guest) ptyUpdateOf(ctx context.Context, message *abi.PTYUpdate) (PTYUpdate, error) {
	output, err := g.bytesOf(ctx, message.Output)
	if err != nil {
		return PTYUpdate{}, err
	}
	update := PTYUpdate{Output: output}
	if message.ProcessID != nil {
		update.ProcessID = new(int(*message.ProcessID))
	}
	if message.ExitCode != nil {
		update.ExitCode = new(int(*message.ExitCode))
	}
	if message.OriginalTokenCount != nil {
		if *message.OriginalTokenCount > math.MaxInt {
			return PTYUpdate{}, wrongReply("its token count is beyond any output")
		}
		update.OriginalTokenCount = new(int(*message.OriginalTokenCount))
	}
	return update, nil
}

// checkInline refuses content inline that has to be a blob.
func (g *guest) checkInline(message abi.Content) error {
	if len(message.Inline) > g.limits.InlineBytes {
		return wrongReply("it has content inline that is long enough to be a blob")
	}
	return nil
}

// bytesOf gives content to the session's caller, who may change it. What a
// reply holds is the host's own copy already.
func (g *guest) bytesOf(ctx context.Context, message abi.Content) ([]byte, error) {
	if message.Blob == nil {
		return message.Inline, g.checkInline(message)
	}
	c, err := g.blobs.resolve(ctx, message.Blob)
	if err != nil {
		return nil, err
	}
	return c.copy(ctx)
}

func sandboxErrorOf(message *abi.SandboxError) *SandboxError {
	e := NewSandboxError(message.Code, mapOf(message.Context), nil)
	if message.Op != "" {
		e.Op = Op(message.Op)
	}
	if message.Message != "" {
		e.Message = message.Message
	}
	if message.Retryable != RetryableUnknown {
		e.Retryable = message.Retryable
	}
	return e
}

func mapOf(entries []abi.Entry) map[string]any {
	if len(entries) == 0 {
		return nil
	}
	m := make(map[string]any, len(entries))
	for _, entry := range entries {
		m[entry.Key] = valueOf(entry.Value)
	}
	return m
}

func valueOf(value abi.Value) any {
	switch v := value.(type) {
	case []abi.Value:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = valueOf(item)
		}
		return list
	case []abi.Entry:
		m := mapOf(v)
		if m == nil {
			m = map[string]any{}
		}
		return m
	default:
		return v
	}
}

// entriesOf is a map as a message, in ascending order of its keys. The error
// names a value that can't be one.
func entriesOf(m map[string]any) ([]abi.Entry, error) {
	entries, wrong := entriesAt("", 1, m)
	if wrong != nil {
		return nil, wrong
	}
	return entries, abi.CheckEntries(entries)
}

func entriesAt(prefix string, depth int, m map[string]any) ([]abi.Entry, *abi.ValueError) {
	entries := make([]abi.Entry, 0, len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		value, wrong := messageAt(prefix+"."+key, depth, m[key])
		if wrong != nil {
			return nil, wrong
		}
		entries = append(entries, abi.Entry{Key: key, Value: value})
	}
	return entries, nil
}

func messageAt(path string, depth int, value any) (abi.Value, *abi.ValueError) {
	if depth > abi.MaxDepth { // before a map that holds itself takes the stack
		return nil, &abi.ValueError{Path: path, Problem: "is nested too deeply"}
	}
	switch v := value.(type) {
	case nil, bool, int64, string, []byte:
		return v, nil
	case int:
		return int64(v), nil
	case []any:
		list := make([]abi.Value, len(v))
		for i, item := range v {
			message, wrong := messageAt(path+"["+strconv.Itoa(i)+"]", depth+1, item)
			if wrong != nil {
				return nil, wrong
			}
			list[i] = message
		}
		return list, nil
	case map[string]any:
		entries, wrong := entriesAt(path, depth+1, v)
		if wrong != nil {
			return nil, wrong
		}
		return entries, nil
	default:
		return nil, &abi.ValueError{Path: path, Problem: "isn't null, a boolean, a whole number, text, bytes, a list or a map"}
	}
}
