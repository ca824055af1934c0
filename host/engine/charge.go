package engine

// Bytes that host functions move for a guest cost it a unit for each BytesPerUnit, as those
// that its own instructions move. They are moved in pieces of up to MovePiece bytes: each is
// charged, and the context looked at, before it is moved.
const (
	BytesPerUnit = 8
	MovePiece    = 1 << 20
)

// Charge makes the guest that calls a host function pay for what is done for it, in units
// of what the instance counts, which aren't negative. An instance that counts nothing has
// it for nothing. The host function has to end with the error.
//
// An engine that counts has instances with a method Charge(units int64) error. It is called
// on the goroutine of the host function, before that returns.
func Charge(caller Instance, units int64) error {
	if payer, ok := caller.(interface{ Charge(units int64) error }); ok {
		return payer.Charge(units)
	}
	return nil
}
