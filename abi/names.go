package abi

// Version of the ABI. The major version is part of the name of the version
// function and of the import module; the minor version is what the version
// function returns.
const (
	VersionMajor = 1
	VersionMinor = 0
)

// Names of the exports of a guest.
const (
	ExportMemory     = "memory"
	ExportInitialize = "_initialize"          // () -> (); optional
	ExportVersion    = "wasmsandbox_abi_v1"   // () -> i32
	ExportBuffer     = "wasmsandbox_buffer"   // (i32) -> i32
	ExportDescribe   = "wasmsandbox_describe" // () -> i64
	ExportOpen       = "wasmsandbox_open"     // (i32) -> i64
	ExportMatch      = "wasmsandbox_match"    // (i32, i32) -> i64
	ExportRespond    = "wasmsandbox_respond"  // (i32, i32) -> i64
	ExportClose      = "wasmsandbox_close"    // () -> i64; optional
	ExportPrefix     = "wasmsandbox_abi_v"    // of the version function of any major version
)

// ImportModule is the module of the imports below. Its set of functions is
// frozen.
const ImportModule = "wasmsandbox_v1"

// Names of the imports that the host offers. Every function returns a status:
// zero or a count, or one of the negative Status values.
const (
	ImportLog       = "log"        // (level i32, ptr i32, len i32) -> i32
	ImportFail      = "fail"       // (ptr i32, len i32) -> i32
	ImportBlobLen   = "blob_len"   // (handle i32) -> i64
	ImportBlobRead  = "blob_read"  // (handle i32, offset i64, ptr i32, len i32) -> i32: bytes read
	ImportBlobNew   = "blob_new"   // () -> i32: a handle
	ImportBlobWrite = "blob_write" // (handle i32, ptr i32, len i32) -> i32: bytes appended
	ImportExtension = "extension"  // (op i32, ptr i32, len i32) -> i64
)

// A Status is the negative result of an import.
type Status int32

// The statuses.
const (
	StatusBadPointer  Status = -1 // a pointer and length reach outside of the memory
	StatusBadHandle   Status = -2 // no blob has that handle, or it can't be written
	StatusBadArgument Status = -3 // another argument is out of its range
	StatusLimit       Status = -4 // a limit of the host is reached
	StatusBadMessage  Status = -5 // the message can't be decoded
	StatusUnsupported Status = -6 // the extension isn't known
)

// A LogLevel is the importance of a log line.
type LogLevel uint8

// The levels, in ascending order.
const (
	LogDebug LogLevel = 0
	LogInfo  LogLevel = 1
	LogWarn  LogLevel = 2
	LogError LogLevel = 3
)

// String is "debug", "info", "warn", "error" or "unknown".
func (l LogLevel) String() string {
	switch l {
	case LogDebug:
		return "debug"
	case LogInfo:
		return "info"
	case LogWarn:
		return "warn"
	case LogError:
		return "error"
	default:
		return "unknown"
	}
}

// InlineBytes is the length above which content travels as a blob, unless a
// session says otherwise.
const InlineBytes = 64 << 10
