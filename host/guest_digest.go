package host

import (
	"crypto/sha256"
	"fmt"
)

// GuestDigests gives a SHA-256 of what each guest is that was opened, by the name of
// its module: of its memory, its globals, its clocks, random bytes, input and open files.
// Two guests of the same module with the same digest can't be told apart, whatever the
// engine. Of modules with the same name, the second has " #2" after it.
//
// Guests that are dead, that work for a call, or whose state the engine can't copy
// aren't in it, and none are once the session is closed. The caller owns the map; it is
// nil when there are none.
func (s *Scripted) GuestDigests() map[string][sha256.Size]byte {
	var digests map[string][sha256.Size]byte
	names := map[string]int{}
	for _, g := range s.guests.list() {
		name := g.module.name
		if names[name]++; names[name] > 1 {
			name = fmt.Sprintf("%s #%d", name, names[name])
		}
		if digest, ok := g.digest(); ok {
			if digests == nil {
				digests = map[string][sha256.Size]byte{}
			}
			digests[name] = digest
		}
	}
	return digests
}

func (g *guest) digest() (digest [sha256.Size]byte, ok bool) {
	if !g.turn.TryLock() {
		return digest, false
	}
	defer g.turn.Unlock()
	if g.dead != nil || !g.opened && g.reuse.pendingImage == nil {
		return digest, false
	}
	im, err := g.image()
	if err != nil {
		return digest, false
	}
	memory := im.memory.Digest()
	return sha256.Sum256(im.env.Append(memory[:])), true
}
