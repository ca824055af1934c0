package sourcebuild

import "testing"

func TestWhatAToolPrintsIsKeptUpToALimit(t *testing.T) {
	c := capped{limit: 5}
	for _, part := range []string{"abc", "def", "ghi"} {
		if n, err := c.Write([]byte(part)); n != 3 || err != nil {
			t.Errorf("Write: %d, %v", n, err)
		}
	}
	if got, want := c.text(), "abcde\n… and 4 bytes more"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
