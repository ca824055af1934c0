package abi

// Version of the ABI. The major version is part of the name of the version
// function and of the import module; the minor version is what the version
// function returns.
const (
	VersionMajor = 1
	VersionMinor = 0
)

// Names of the exports of a guest; Exports has their signatures.
const (
	ExportMemory     = "memory"
	ExportInitialize = "_initialize"
	ExportVersion    = "wasmsandbox_abi_v1"
	ExportBuffer     = "wasmsandbox_buffer"
	ExportDescribe   = "wasmsandbox_describe"
	ExportOpen       = "wasmsandbox_open"
	ExportMatch      = "wasmsandbox_match"
	ExportRespond    = "wasmsandbox_respond"
	ExportClose      = "wasmsandbox_close"
	ExportPrefix     = "wasmsandbox_abi_v" // of the version function of any major version
)

// ImportModule is the module of the imports below. Its set of functions is
// frozen.
const ImportModule = "wasmsandbox_v1"

// Names of the imports that the host offers. Every function returns a status:
// zero or a count, or one of the negative Status values.
const (
	ImportLog       = "log"
	ImportFail      = "fail"
	ImportBlobLen   = "blob_len"
	ImportBlobRead  = "blob_read"
	ImportBlobNew   = "blob_new"
	ImportBlobWrite = "blob_write"
	ImportExtension = "extension"
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
