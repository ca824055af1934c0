package guest

import (
	"time"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A Call is one call of a session. It belongs to the SDK: a handler must not use
// it after it has returned.
type Call struct {
	message abi.Call
	request Request
	write   WriteRequest // what request points to when the method is write
	config  Settings
}

// Index is the zero-based position of the call in the session's history.
func (c *Call) Index() uint64 { return c.message.Index }

// Time is the virtual time of the call, in UTC.
func (c *Call) Time() time.Time { return time.Unix(0, c.message.TimeNS).UTC() }

// Method is the method called.
func (c *Call) Method() Method { return c.message.Method() }

// Request is the call's arguments.
//
//	switch req := c.Request().(type) {
//	case *guest.ExecRequest:
//	case *guest.WriteRequest:
//	}
func (c *Call) Request() Request { return c.request }

// Config is the guest's configuration, as [Config] gives it.
func (c *Call) Config() Settings { return c.config }

// decode replaces the call by an encoded one. Content in it refers to data, and
// lives as long as the epoch lasts.
func (c *Call) decode(data []byte, epoch uint64) error {
	if err := c.message.Unmarshal(data); err != nil {
		return err
	}
	w, ok := c.message.Request.(*abi.WriteRequest)
	if !ok {
		c.request = c.message.Request
		return nil
	}
	c.write = WriteRequest{Path: w.Path, User: w.User, Data: borrowStream(&w.Data, epoch)}
	c.request = &c.write
	return nil
}

// WriteRequest is the arguments of write.
type WriteRequest struct {
	Path string
	Data Stream
	User string
}

// Method is Write.
func (*WriteRequest) Method() Method { return Write }
