package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
)

// snapshotOptions say how streams are recorded.
type snapshotOptions struct {
	ctx         context.Context
	streamLimit int64 // bytes
}

// DefaultStreamLimit is how many bytes of a stream a session records, unless
// WithStreamLimit says otherwise.
const DefaultStreamLimit = 256 << 20

var backgroundSnapshot = snapshotOptions{context.Background(), DefaultStreamLimit}

// errNilRequest and errRequestType are causes of snapshot failures.
var (
	errNilRequest  = errors.New("there is no request")
	errRequestType = errors.New("the request has a type that isn't one of the nine")
)

// snapshotRequest copies what the caller's request refers to (S2.10); the struct
// itself is a copy already. On failure nothing has been recorded (S2.11).
func snapshotRequest(opts snapshotOptions, request Request) (Request, error) {
	switch {
	case request == nil:
		return nil, &SnapshotError{Err: errNilRequest}
	case isNilValue(request):
		return nil, &SnapshotError{Err: errNilRequest}
	}
	switch r := request.(type) {
	case *WriteRequest:
		data, err := snapshotReader(opts.ctx, r.Data, opts.streamLimit)
		if err != nil {
			return nil, &SnapshotError{Method: MethodWrite, Field: "data", Err: err}
		}
		return &recordedWrite{path: r.Path, data: data, user: r.User}, nil
	case *ApplyPatchRequest:
		if r.PatchFormat == "" {
			r.PatchFormat = DefaultPatchFormat
		}
		return detached(r), nil
	case *ExecRequest, *LsRequest, *MkdirRequest, *PTYExecStartRequest, *PTYWriteStdinRequest, *ReadRequest, *RmRequest:
		return detached(r), nil
	default:
		return nil, &SnapshotError{Err: errRequestType}
	}
}

// snapshotResult copies a result into the form that its method returns. The
// error is that of coerceResult.
func snapshotResult(opts snapshotOptions, method Method, value any) (any, error) {
	result, err := coerceResult(opts, method, value)
	if err != nil {
		return nil, err
	}
	switch v := result.(type) {
	case ExecResult:
		return v.clone(), nil
	case PTYUpdate:
		return v.clone(), nil
	case []FileEntry:
		return slices.Clone(v), nil
	default:
		return result, nil
	}
}

// coerceResult brings a result into the form that its method returns, without a
// copy if it can: ExecResult, Stream, []FileEntry, string, PTYUpdate, or nil for
// the void methods. The error is a *ResultTypeError, or what a reader failed
// with.
func coerceResult(opts snapshotOptions, method Method, value any) (any, error) {
	switch method {
	case MethodExec:
		if _, ok := value.(ExecResult); ok {
			return value, nil // as it is: putting it into another interface would copy it
		}
		if v, ok := deref[ExecResult](value); ok {
			return v, nil
		}
	case MethodPTYExecStart, MethodPTYWriteStdin:
		if v, ok := deref[PTYUpdate](value); ok {
			return v, nil
		}
	case MethodLs:
		if v, ok := value.([]FileEntry); ok {
			return v, nil
		}
	case MethodApplyPatch:
		if v, ok := value.(string); ok {
			return v, nil
		}
	case MethodRead:
		switch v := value.(type) {
		case Stream:
			return v, nil
		case string:
			return TextStream(v), nil
		case []byte:
			return ByteStream(v), nil
		case io.Reader:
			return snapshotReader(opts.ctx, v, opts.streamLimit)
		}
	case MethodWrite, MethodRm, MethodMkdir:
		if value == nil {
			return nil, nil
		}
	}
	return nil, &ResultTypeError{Method: method, Type: fmt.Sprintf("%T", value)}
}

// deref is a value of the type wanted, given as such or through a pointer.
func deref[T any](value any) (T, bool) {
	switch v := value.(type) {
	case T:
		return v, true
	case *T:
		if v != nil {
			return *v, true
		}
	}
	var zero T
	return zero, false
}
