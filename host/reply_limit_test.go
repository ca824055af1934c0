package host_test

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
)

// A guest says so by the length of its reply, so that the figure is the same for all.
func TestAReplyThatIsTooLongWentOverALimitInEveryLanguage(t *testing.T) {
	reply := abi.Reply{Outcome: &abi.Outcome{Exec: &abi.ExecResult{Stdout: abi.Content{Inline: make([]byte, 3000)}}}}
	want := host.Breach{Limit: host.LimitReply, Reached: int64(len(reply.Append(nil))), Allowed: 2000}
	for _, language := range append([]string{"js"}, languages...) {
		t.Run(language, func(t *testing.T) {
			responder, err := kitchen(t, language).Responder("big")
			if err != nil {
				t.Fatal(err)
			}
			big := host.Step{Method: host.MethodExec, Outcome: host.Respond(responder)}
			s := newSession(t, []host.Step{big, big}, host.WithLimits(host.Limits{ReplyBytes: 2000}))

			_, err = s.Exec(t.Context(), host.ExecRequest{Command: []string{"3000", "0", "0"}})
			if e := wantGuestError(t, err, host.GuestLimit); e.Breach == nil || *e.Breach != want {
				t.Errorf("the limit that was gone over is %+v, want %+v", e.Breach, want)
			}
			result, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"1000", "0", "0"}})
			if err != nil || len(result.Stdout) != 1000 {
				t.Errorf("the guest doesn't live on: %d bytes, %v", len(result.Stdout), err)
			}
		})
	}
}
