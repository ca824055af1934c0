package listing

import (
	"fmt"
	"strconv"
)

// scaled prints a number of bytes with at most four characters, as ls -h does: 4.0K, or
// 12M. It is rounded up.
func scaled(bytes int64) string {
	if bytes < 1024 {
		return strconv.FormatInt(bytes, 10)
	}
	unit, i := int64(1024), 0
	for bytes > 1023*unit && i < len("KMGTPE")-1 {
		unit, i = unit*1024, i+1
	}
	tenths := bytes/unit*10 + (bytes%unit*10+unit-1)/unit
	if tenths < 100 {
		return fmt.Sprintf("%d.%d%c", tenths/10, tenths%10, "KMGTPE"[i])
	}
	return fmt.Sprintf("%d%c", (bytes-1)/unit+1, "KMGTPE"[i])
}
