package v4a

// search is where a text has a pattern first, at or after an index; or none. It
// takes time in proportion to the lengths of both (Knuth, Morris and Pratt). The
// pattern has at least one id.
func search(text, pattern []int32, from int) int {
	borders := bordersOf(pattern)
	matched := 0
	for i := from; i < len(text); i++ {
		for matched > 0 && pattern[matched] != text[i] {
			matched = int(borders[matched-1])
		}
		if pattern[matched] == text[i] {
			matched++
		}
		if matched == len(pattern) {
			return i + 1 - matched
		}
	}
	return none
}

// bordersOf is, for each prefix of a pattern, how long the longest shorter prefix is
// that it ends with.
func bordersOf(pattern []int32) []int32 {
	borders := make([]int32, len(pattern))
	for i := 1; i < len(pattern); i++ {
		length := borders[i-1]
		for length > 0 && pattern[length] != pattern[i] {
			length = borders[length-1]
		}
		if pattern[length] == pattern[i] {
			length++
		}
		borders[i] = length
	}
	return borders
}
