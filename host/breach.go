package host

import "fmt"

// A LimitName is one of the [Limits], as scripts call it.
type LimitName string

// The limits that a guest can go over.
const (
	LimitFuel        LimitName = "fuel"         // Limits.CallFuel, in units of fuel
	LimitSessionFuel LimitName = "session_fuel" // Limits.SessionFuel, in units of fuel
	LimitDepth       LimitName = "depth"        // Limits.CallDepth, in calls
	LimitMemory      LimitName = "memory"       // Limits.MemoryBytes, in bytes
	LimitTable       LimitName = "table"        // Limits.TableEntries, in entries
	LimitReply       LimitName = "reply"        // Limits.ReplyBytes, in bytes
	LimitBlob        LimitName = "blob"         // Limits.BlobBytes, in bytes
)

// A Breach says which limit was gone over, and by how much. The unit is that of the
// limit.
type Breach struct {
	Limit   LimitName
	Reached int64 // how far it came, or wanted to
	Allowed int64 // what the limit is, also if it is the engine's; 0 if it is the module's own
}

// String is the breach in a few words.
func (b *Breach) String() string {
	switch b.Limit {
	case LimitFuel:
		return fmt.Sprintf("the call used %d units, and has %d (limits.fuel)", b.Reached, b.Allowed)
	case LimitSessionFuel:
		return fmt.Sprintf("the session used %d units, and has %d (limits.session_fuel)", b.Reached, b.Allowed)
	case LimitDepth:
		return fmt.Sprintf("calls may nest %d deep (limits.depth)", b.Allowed)
	case LimitMemory:
		if b.Allowed == 0 {
			return fmt.Sprintf("it didn't get the %d bytes that it wanted, for its own maximum", b.Reached)
		}
		return fmt.Sprintf("it wanted %d bytes, and may have %d (limits.memory)", b.Reached, b.Allowed)
	case LimitTable:
		if b.Allowed == 0 {
			return fmt.Sprintf("it didn't get the table of %d entries that it wanted, for its own maximum", b.Reached)
		}
		return fmt.Sprintf("it wanted a table of %d entries, and may have %d (limits.table)", b.Reached, b.Allowed)
	case LimitBlob:
		return fmt.Sprintf("it wanted %d bytes of blobs, and may have %d (limits.blob)", b.Reached, b.Allowed)
	default:
		return fmt.Sprintf("%d bytes, and at most %d (limits.%s)", b.Reached, b.Allowed, b.Limit)
	}
}
