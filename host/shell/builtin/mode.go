package builtin

import (
	"io/fs"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// setID are the bits of a mode that say who something is run as.
const setID = fs.ModeSetuid | fs.ModeSetgid

// whom are the bits that are about somebody.
var whom = map[rune]fs.FileMode{
	'u': 0o700 | fs.ModeSetuid, 'g': 0o070 | fs.ModeSetgid, 'o': 0o007 | fs.ModeSticky, 'a': 0o777 | setID | fs.ModeSticky,
}

// parseMode reads a mode: 755, or u+x,go-w for one that there was. Folders keep who
// they are run as, unless that is mentioned.
func parseMode(text string, old fs.FileMode, dir bool, umask fs.FileMode) (fs.FileMode, error) {
	mode := old & (fs.ModePerm | setID | fs.ModeSticky)
	if n, err := strconv.ParseUint(text, 8, 12); err == nil {
		if dir && len(text) <= 4 {
			return workspace.FromUnixMode(uint32(n)) | mode&setID, nil
		}
		return workspace.FromUnixMode(uint32(n)), nil
	}
	for clause := range strings.SplitSeq(text, ",") {
		i := strings.IndexAny(clause, "+-=")
		if i < 0 {
			return 0, badMode(text)
		}
		who := fs.FileMode(0)
		for _, r := range clause[:i] {
			if whom[r] == 0 {
				return 0, badMode(text)
			}
			who |= whom[r]
		}
		bits, ok := modeBits(clause[i+1:], mode, dir)
		if !ok {
			return 0, badMode(text)
		}
		kept := fs.FileMode(0)
		if dir {
			kept = setID &^ bits
		}
		if who == 0 {
			who, bits = whom['a'], bits&^umask
		}
		switch bits &= who; clause[i] {
		case '+':
			mode |= bits
		case '-':
			mode &^= bits
		default:
			mode = mode&^(who&^kept) | bits
		}
	}
	return mode, nil
}

func badMode(text string) error { return complaint("invalid mode: '" + text + "'") }

// modeBits are those that letters mean, for all.
func modeBits(letters string, mode fs.FileMode, dir bool) (bits fs.FileMode, ok bool) {
	for _, r := range letters {
		switch r {
		case 'r':
			bits |= 0o444
		case 'w':
			bits |= 0o222
		case 'x':
			bits |= 0o111
		case 'X':
			if dir || mode&0o111 != 0 {
				bits |= 0o111
			}
		case 's':
			bits |= setID
		case 't':
			bits |= fs.ModeSticky
		default:
			return 0, false
		}
	}
	return bits, true
}
