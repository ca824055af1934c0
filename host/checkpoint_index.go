package host

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"
)

// indexFormat is how an index says that it is one.
const indexFormat = "wasmsandbox checkpoint"

// A checkpointIndex is the first member of a checkpoint's file: what it is of, and what
// is small.
type checkpointIndex struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	ABI     string `json:"abi"`    // the one of the host that wrote it; it isn't looked at
	Engine  string `json:"engine"` // of the guests; it isn't looked at: the states are the same on all

	Script scriptForm `json:"script"`

	Seed        uint64 `json:"seed"`
	StartTime   int64  `json:"start_time"` // in seconds since 1970
	StartTimeNS int64  `json:"start_time_ns"`

	Next    int            `json:"next"`  // how many steps are consumed
	Calls   int            `json:"calls"` // how many records the history has
	Refused map[string]int `json:"refused,omitempty"`
	Fuel    int64          `json:"fuel"`
	Running bool           `json:"running"`
	Skipped []pathForm     `json:"persist_skip_paths,omitempty"`

	Guests    []guestForm    `json:"guests,omitempty"` // in the order in which they were first used
	Workspace *workspaceForm `json:"workspace,omitempty"`
}

// A workspaceForm is what the index has of a workspace.
type workspaceForm struct {
	Now          int64  `json:"now"` // its time, in nanoseconds since 1970
	LastInode    uint64 `json:"last_inode"`
	Entries      int    `json:"entries"` // members that follow
	Started      bool   `json:"started"` // it has been, once
	Persisted    string `json:"persisted,omitempty"`
	LastTerminal int    `json:"last_terminal,omitempty"`
}

func newIndex(c *Checkpoint, script scriptForm) *checkpointIndex {
	index := &checkpointIndex{
		Format: indexFormat, Version: CheckpointVersion, ABI: abiVersion(), Script: script,
		Seed: c.config.seed, StartTime: c.config.startTime.Unix(), StartTimeNS: int64(c.config.startTime.Nanosecond()),
		Next: c.next, Calls: len(c.records), Fuel: c.fuel, Running: c.running,
	}
	for _, path := range c.skipped {
		index.Skipped = append(index.Skipped, pathForm(path))
	}
	if len(c.guests) > 0 {
		index.Engine = c.guests[0].module.compiled.engine.Name()
	}
	for method, n := range c.refused {
		if index.Refused == nil {
			index.Refused = map[string]int{}
		}
		index.Refused[method.String()] = n
	}
	if f := c.files; f != nil {
		im := f.tree.Image()
		index.Workspace = &workspaceForm{
			Now: im.Now, LastInode: im.LastInode, Entries: len(im.Entries),
			Started: f.ready, Persisted: f.persisted, LastTerminal: f.lastID,
		}
	}
	return index
}

// mostFuel is more than any session uses, and leaves room to go on from.
const mostFuel = 1 << 62

// index reads the index. Its version is looked at before all else.
func (in *checkpointReader) index(index *checkpointIndex) error {
	data, err := in.member(indexMember, maxIndex)
	if err != nil {
		return err
	}
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if json.Unmarshal(data, &head) != nil || head.Format != indexFormat {
		return malformed("it has no index")
	}
	if head.Version != CheckpointVersion {
		detail := fmt.Sprintf("it has version %d, and only %d is known", head.Version, CheckpointVersion)
		return &CheckpointError{Kind: CheckpointWrongVersion, Detail: detail}
	}
	return decodeStrictly(&weighedReader{r: bytes.NewReader(data), most: maxIndexWeight}, index)
}

// apply puts into a checkpoint what the index has of it.
func (index *checkpointIndex) apply(c *Checkpoint) error {
	const nanoseconds = int64(time.Second)
	switch {
	case index.StartTimeNS < 0 || index.StartTimeNS >= nanoseconds:
		return malformed("its start time can't be")
	case index.Next < 0 || index.Next > len(c.steps) || index.Next > index.Calls:
		return malformed("it has consumed more steps than there are")
	case index.Calls < 0 || index.Calls > math.MaxInt32, index.Fuel < 0 || index.Fuel > mostFuel:
		return malformed("a count can't be")
	case (index.Workspace != nil) != (c.config.workspace != nil):
		return malformed("its workspace isn't that of its script")
	}
	for _, path := range index.Skipped {
		if rel, err := relativePath(string(path)); err != nil || rel != string(path) {
			return malformed("a path that isn't persisted can't be")
		}
		c.skipped = append(c.skipped, string(path))
	}
	for name, n := range index.Refused {
		method, ok := ParseMethod(name)
		if !ok || n <= 0 || n > math.MaxInt32 || c.visible.has(method) {
			return malformed("its refused calls can't be")
		}
		if c.refused == nil {
			c.refused = map[Method]int{}
		}
		c.refused[method] = n
	}
	if !slices.IsSorted(index.Skipped) {
		return malformed("its paths that aren't persisted aren't sorted")
	}
	c.config.seed, c.config.startTime = index.Seed, time.Unix(index.StartTime, index.StartTimeNS).UTC()
	c.next, c.fuel, c.running = index.Next, index.Fuel, index.Running
	return nil
}
