package host

// A slab is memory for many small pieces, which would cost more to be allocated one
// by one than all that is done with them. The pieces aren't given back: a slab lasts
// as long as any of them is used. The zero slab is ready.
type slab[T any] struct {
	rest []T
	size int // of what the rest is of, in items
}

// cut gives n items, with no room behind them. It allocates for the first call as
// little as for 8, and for later ones up to a number of items at once.
func (s *slab[T]) cut(n, most int) []T {
	if n > len(s.rest) {
		s.size = min(max(8, 2*s.size), most)
		if n > s.size/2 {
			return make([]T, n)
		}
		s.rest = make([]T, s.size)
	}
	piece := s.rest[:n:n]
	s.rest = s.rest[n:]
	return piece
}

// clone copies items. A copy of nil is nil, and no other is.
func (s *slab[T]) clone(items []T, most int) []T {
	switch {
	case items == nil:
		return nil
	case len(items) == 0:
		return []T{}
	}
	piece := s.cut(len(items), most)
	copy(piece, items)
	return piece
}
