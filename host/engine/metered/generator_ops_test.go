package metered_test

import "strings"

// Types of values, as generated signatures write them.
var typeCodes = map[byte]byte{'i': 0x7f, 'l': 0x7e, 'f': 0x7d, 'd': 0x7c, 'v': 0x7b, 'r': 0x70, 'x': 0x6f}

// An immediate is what follows an opcode.
type immediate byte

const (
	nothing   immediate = iota
	access              // alignment and offset
	lane                // of so many lanes
	laneOf              // access, and a lane
	shuffling           // 16 lanes
)

// An op is an instruction that takes and gives what its signature says.
type op struct {
	prefix  byte // 0: none
	code    int
	in, out string
	imm     immediate
	lanes   int
	float   bool // it may give a NaN, whose bits engines choose
}

// ops are the instructions that are made by the table: all that compute, load and store.
var ops = makeOps()

func makeOps() (all []op) {
	for _, row := range strings.Fields(`
		45-45i:i 46-4fii:i 50-50l:i 51-5all:i 5b-60ff:i 61-66dd:i 67-69i:i 6a-78ii:i 79-7bl:l 7c-8all:l
		8b-8cf:f 8d-91f:F 92-97ff:F 98-98ff:f 99-9ad:d 9b-9fd:D a0-a5dd:D a6-a6dd:d a7-a7l:i a8-a9f:i aa-abd:i ac-adi:l
		ae-aff:l b0-b1d:l b2-b3i:f b4-b5l:f b6-b6d:F b7-b8i:d b9-bal:d bb-bbf:D bc-bcf:i bd-bdd:l be-bei:f bf-bfl:d
		c0-c1i:i c2-c4l:l
		28-28i:i@ 29-29i:l@ 2a-2ai:f@ 2b-2bi:d@ 2c-2fi:i@ 30-35i:l@ 36-36ii:@ 37-37il:@ 38-38if:@ 39-39id:@ 3a-3bii:@ 3c-3eil:@`) {
		all = append(all, opsOf(0, row)...)
	}
	for _, row := range strings.Fields("00-01f:i 02-03d:i 04-05f:l 06-07d:l") {
		all = append(all, opsOf(0xfc, row)...)
	}
	for _, row := range strings.Fields(`
		00-0ai:v@ 0b-0biv:@ 0d-0dvv:v~ 0e-0evv:v 0f-11i:v 12-12l:v 13-13f:v 14-14d:v
		15-16v:i#16 17-17vi:v#16 18-19v:i#8 1a-1avi:v#8 1b-1bv:i#4 1c-1cvi:v#4 1d-1dv:l#2 1e-1evl:v#2
		1f-1fv:f#4 20-20vf:v#4 21-21v:d#2 22-22vd:v#2
		23-4cvv:v 4d-4dv:v 4e-51vv:v 52-52vvv:v 53-53v:i
		54-54iv:v@16 55-55iv:v@8 56-56iv:v@4 57-57iv:v@2 58-58iv:@16 59-59iv:@8 5a-5aiv:@4 5b-5biv:@2 5c-5di:v@ 5e-5fv:V
		60-62v:v 63-64v:i 65-66vv:v 67-6av:V 6b-6dvi:v 6e-73vv:v 74-75v:V 76-79vv:v 7a-7av:V 7b-7bvv:v 7c-7fv:v
		80-81v:v 82-82vv:v 83-84v:i 85-86vv:v 87-8av:v 8b-8dvi:v 8e-93vv:v 94-94v:V 95-99vv:v 9b-9fvv:v
		a0-a1v:v a3-a4v:i a7-aav:v ab-advi:v ae-aevv:v b1-b1vv:v b5-bavv:v bc-bfvv:v
		c0-c1v:v c3-c4v:i c7-cav:v cb-cdvi:v ce-cevv:v d1-d1vv:v d5-dfvv:v
		e0-e1v:v e3-e3v:V e4-e9vv:V ea-ebvv:v ec-edv:v ef-efv:V f0-f5vv:V f6-f7vv:v f8-f9v:v fa-fbv:v fc-fdv:v fe-ffv:v`) {
		all = append(all, opsOf(0xfd, row)...)
	}
	return all
}

// opsOf reads a row: the first and the last opcode, the signature, and the immediate. A
// result in capitals may be a NaN.
func opsOf(prefix byte, row string) (all []op) {
	number := func(s string) (n int) {
		for _, c := range []byte(s) {
			n = n<<4 + strings.IndexByte("0123456789abcdef", c)
		}
		return n
	}
	in, out, _ := strings.Cut(row[5:], ":")
	o := op{prefix: prefix, in: in}
	if i := strings.IndexAny(out, "@#~"); i >= 0 {
		o.imm = map[byte]immediate{'@': access, '#': lane, '~': shuffling}[out[i]]
		for _, c := range []byte(out[i+1:]) {
			o.lanes = 10*o.lanes + int(c-'0')
		}
		if o.imm == access && o.lanes > 0 {
			o.imm = laneOf
		}
		out = out[:i]
	}
	o.out = strings.ToLower(out)
	o.float = o.out != out
	for code := number(row[0:2]); code <= number(row[3:5]); code++ {
		o.code = code
		all = append(all, o)
	}
	return all
}

func sleb(v int64) (out []byte) {
	for ; v < -64 || v > 63; v >>= 7 {
		out = append(out, byte(v)|0x80)
	}
	return append(out, byte(v)&0x7f)
}

func types(signature string) []byte {
	out := uleb(len(signature))
	for _, t := range []byte(signature) {
		out = append(out, typeCodes[t])
	}
	return out
}

// alone is the instruction, with the smallest immediates.
func (o op) alone() []byte {
	g := &generator{}
	o.in = ""
	g.do(o, 0)
	return g.out
}
