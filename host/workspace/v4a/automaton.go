package v4a

import "context"

// lastPlaces is where a text has each of several patterns for the last time; none
// if it hasn't, or if the pattern is empty. It takes time in proportion to the text
// and all patterns.
func lastPlaces(ctx context.Context, text []int32, patterns [][]int32) []int {
	a := newAutomaton()
	nodes := a.addAll(ctx, patterns, len(text))
	a.run(ctx, text)
	places := make([]int, len(patterns))
	for k, node := range nodes {
		places[k] = none
		if node != 0 && a.last[node] != none {
			places[k] = int(a.last[node]) + 1 - len(patterns[k])
		}
	}
	return places
}

// An automaton is a tree of patterns (Aho and Corasick). Node 0 is its root; a node
// stands for the ids on the way to it, and those nearer to the root come first.
type automaton struct {
	next map[edge]int32
	fail []int32 // the node for the longest other end of a node's ids
	last []int32 // where in the text the ids of a node ended last, or none
}

type edge struct{ node, id int32 }

func newAutomaton() *automaton {
	return &automaton{next: map[edge]int32{}, fail: []int32{0}, last: []int32{none}}
}

// addAll adds patterns, and gives their nodes: 0 for those longer than the text,
// which are left out. It adds the first ids of all, then the second, so that the
// nodes that a new one can fail to are there.
func (a *automaton) addAll(ctx context.Context, patterns [][]int32, longest int) []int32 {
	nodes := make([]int32, len(patterns))
	var growing []int
	for k, pattern := range patterns {
		if len(pattern) <= longest {
			growing = append(growing, k)
		}
	}
	for depth := 0; len(growing) > 0; depth++ {
		kept := growing[:0]
		for _, k := range growing {
			if ended(ctx, len(a.fail)) {
				return nodes
			}
			if depth < len(patterns[k]) {
				nodes[k] = a.child(nodes[k], patterns[k][depth])
				kept = append(kept, k)
			}
		}
		growing = kept
	}
	return nodes
}

// child is the node that an id leads to, a new one if there is none yet.
func (a *automaton) child(node, id int32) int32 {
	way := edge{node, id}
	child, ok := a.next[way]
	if !ok {
		fail := int32(0)
		if node != 0 {
			fail = a.step(a.fail[node], id)
		}
		child = int32(len(a.fail))
		a.next[way] = child
		a.fail = append(a.fail, fail)
		a.last = append(a.last, none)
	}
	return child
}

// step is the node for the longest end of a node's ids and one more.
func (a *automaton) step(node, id int32) int32 {
	for {
		if child, ok := a.next[edge{node, id}]; ok || node == 0 {
			return child
		}
		node = a.fail[node]
	}
}

// run reads a text, and notes where each node was last.
func (a *automaton) run(ctx context.Context, text []int32) {
	node := int32(0)
	for i, id := range text {
		if ended(ctx, i) {
			return
		}
		if id == none {
			node = 0
			continue
		}
		node = a.step(node, id)
		a.last[node] = int32(i)
	}
	for node := len(a.last) - 1; node > 0; node-- {
		shorter := a.fail[node]
		a.last[shorter] = max(a.last[shorter], a.last[node])
	}
}
