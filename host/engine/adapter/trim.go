package adapter

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

const (
	// keptFor is how long a file is kept that nobody uses.
	keptFor = 30 * 24 * time.Hour

	// trimEvery is how often old files are looked for, and how exactly it is known when
	// one was last used.
	trimEvery = 24 * time.Hour
)

// trimmedName is the file that tells when a folder was last trimmed.
const trimmedName = "trimmed"

// trimmable are the names of files in caches: digests, and temporary files that a process
// has left that was killed. A folder named by a user may hold others.
var trimmable = regexp.MustCompile(`^([0-9a-f]{64}|([0-9a-f]{64}|entry|probe)\.[^.]*\.tmp)$`)

// trimmed reports whether a folder was trimmed a short while ago, and notes that it is now.
// One that will have been trimmed is of a clock that was wrong.
func trimmed(folder string, now time.Time) bool {
	marker := filepath.Join(folder, trimmedName)
	if info, err := os.Stat(marker); err == nil && now.Sub(info.ModTime()).Abs() < trimEvery {
		return true
	}
	return os.WriteFile(marker, nil, 0o600) != nil || os.Chtimes(marker, now, now) != nil
}

// trim removes what hasn't been written or touched for long from a folder of a cache and
// those below it. Whoever misses a file makes it again, so nobody has to be asked. What
// can't be removed stays.
func trim(folder string, now time.Time) {
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || !trimmable.MatchString(entry.Name()) {
			return nil
		}
		if info, err := entry.Info(); err == nil && now.Sub(info.ModTime()) > keptFor {
			_ = os.Remove(path)
		}
		return nil
	})
}

// touch notes that a file was used.
func touch(path string, now time.Time) {
	if info, err := os.Stat(path); err == nil && now.Sub(info.ModTime()) > trimEvery {
		_ = os.Chtimes(path, now, now)
	}
}
