package abi_test

import (
	"math"
	"math/rand/v2"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A random fills messages of the official runtime with valid contents, edge
// cases more often than not.
type random struct{ *rand.Rand }

func newRandom(seed uint64) random { return random{rand.New(rand.NewPCG(seed, 1))} }

// fill sets fields of m. Depth bounds the nesting.
func (r random) fill(m protoreflect.Message, depth int) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		oneof := field.ContainingOneof()
		switch {
		case oneof != nil && !oneof.IsSynthetic():
			continue
		case field.FullName() == "wasmsandbox.v1.SandboxError.code": // has to be set
			m.Set(field, protoreflect.ValueOfString(pick(r, "exec_timeout", "é")))
		case r.IntN(3) == 0, field.Message() != nil && depth == 0:
			continue
		case field.IsList():
			r.fillList(m, field, depth)
		default:
			m.Set(field, r.value(m, field, depth))
		}
	}
	oneofs := m.Descriptor().Oneofs()
	for i := range oneofs.Len() {
		if !oneofs.Get(i).IsSynthetic() {
			r.fillOneof(m, oneofs.Get(i), depth)
		}
	}
}

func (r random) fillList(m protoreflect.Message, field protoreflect.FieldDescriptor, depth int) {
	list := m.Mutable(field).List()
	for range r.IntN(4) {
		if field.Message() == nil {
			list.Append(r.value(m, field, depth))
		} else {
			r.fill(list.AppendMutable().Message(), depth-1)
		}
	}
}

// fillOneof sets one member; values and content may stay without.
func (r random) fillOneof(m protoreflect.Message, oneof protoreflect.OneofDescriptor, depth int) {
	required := oneof.Parent().Name() != "Value" && oneof.Parent().Name() != "Content"
	if !required && r.IntN(8) == 0 {
		return
	}
	member := oneof.Fields().Get(r.IntN(oneof.Fields().Len()))
	if member.Message() != nil && depth == 0 && !required {
		return
	}
	m.Set(member, r.value(m, member, depth))
}

func (r random) value(m protoreflect.Message, field protoreflect.FieldDescriptor, depth int) protoreflect.Value {
	switch field.Kind() {
	case protoreflect.MessageKind:
		v := m.NewField(field)
		r.fill(v.Message(), max(depth-1, 0))
		return v
	case protoreflect.EnumKind:
		values := field.Enum().Values()
		return protoreflect.ValueOfEnum(values.Get(r.IntN(values.Len())).Number())
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(r.IntN(2) == 0)
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(pick(r, "", "a", "pwd", "é\x00\n", "日本語", "\U0001F600", long(r)))
	case protoreflect.BytesKind:
		if field.Name() == "sha256" {
			return protoreflect.ValueOfBytes(make([]byte, 32))
		}
		return protoreflect.ValueOfBytes([]byte(pick(r, "", "/", "\xff\xfe", "\x00", "line\n", long(r))))
	case protoreflect.Uint32Kind:
		if field.Name() == "methods" {
			return protoreflect.ValueOfUint32(uint32(pick(r, abi.Methods()...)))
		}
		return protoreflect.ValueOfUint32(pick[uint32](r, 0, 1, 127, 128, 0o40755, math.MaxUint32))
	case protoreflect.Uint64Kind:
		return protoreflect.ValueOfUint64(pick[uint64](r, 0, 1, 127, 128, 1<<32, math.MaxUint64))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind:
		return protoreflect.ValueOfInt64(pick[int64](r, 0, 1, -1, 63, 64, -65, math.MinInt64, math.MaxInt64))
	case protoreflect.Sint32Kind:
		return protoreflect.ValueOfInt32(pick[int32](r, 0, 1, -1, 127, 255, math.MinInt32, math.MaxInt32))
	default:
		panic("no values for fields of kind " + field.Kind().String())
	}
}

func pick[T any](r random, from ...T) T { return from[r.IntN(len(from))] }

// long is text around the lengths at which a length takes another byte.
func long(r random) string {
	text := make([]byte, pick(r, 100, 124, 127, 128, 130, 16380, 16384))
	for i := range text {
		text[i] = 'a' + byte(i%26)
	}
	return string(text)
}

// scramble encodes the same message in another way: fields in another order,
// numbers and lengths with needless bytes, embedded messages split in two, and
// unknown fields in between.
func (r random) scramble(m proto.Message) []byte {
	fields := splitFields(marshal(m))
	desc := m.ProtoReflect().Descriptor()
	var out []byte
	for len(fields) > 0 {
		i := r.IntN(len(fields))
		num := fields[i].num
		if isRepeated(desc, num) {
			for i = 0; fields[i].num != num; i++ { // elements keep their order
				continue
			}
		}
		out = r.unknown(out)
		out = r.scrambleField(out, desc, fields[i])
		fields = append(fields[:i:i], fields[i+1:]...)
	}
	return r.unknown(out)
}

func isRepeated(desc protoreflect.MessageDescriptor, num protowire.Number) bool {
	return desc.Fields().ByNumber(num).IsList()
}

func (r random) scrambleField(out []byte, desc protoreflect.MessageDescriptor, f rawField) []byte {
	field := desc.Fields().ByNumber(f.num)
	if f.typ == protowire.VarintType {
		return r.varint(protowire.AppendTag(out, f.num, f.typ), f.varint)
	}
	if field.Message() != nil && !field.IsList() && r.IntN(2) == 0 {
		parts := splitFields(f.bytes)
		cut := r.IntN(len(parts) + 1)
		out = r.length(out, f.num, joinFields(parts[:cut]))
		return r.length(out, f.num, joinFields(parts[cut:]))
	}
	return r.length(out, f.num, f.bytes)
}

func (r random) length(out []byte, num protowire.Number, b []byte) []byte {
	out = r.varint(protowire.AppendTag(out, num, protowire.BytesType), uint64(len(b)))
	return append(out, b...)
}

// varint is longer than needed at times.
func (r random) varint(out []byte, v uint64) []byte {
	minimal := protowire.AppendVarint(nil, v)
	if len(minimal) > 8 || r.IntN(2) == 0 {
		return append(out, minimal...)
	}
	minimal[len(minimal)-1] |= 0x80
	return append(append(out, minimal...), 0x80, 0)
}

func (r random) unknown(out []byte) []byte {
	num := pick[protowire.Number](r, 100, 1<<20, protowire.MaxValidNumber)
	switch r.IntN(8) {
	case 0:
		return protowire.AppendVarint(protowire.AppendTag(out, num, protowire.VarintType), r.Uint64())
	case 1:
		return protowire.AppendFixed32(protowire.AppendTag(out, num, protowire.Fixed32Type), r.Uint32())
	case 2:
		return protowire.AppendFixed64(protowire.AppendTag(out, num, protowire.Fixed64Type), r.Uint64())
	case 3:
		return protowire.AppendBytes(protowire.AppendTag(out, num, protowire.BytesType), []byte("\xff unknown"))
	default:
		return out
	}
}

// A rawField is one field of an encoded message.
type rawField struct {
	num    protowire.Number
	typ    protowire.Type
	varint uint64
	bytes  []byte
}

func splitFields(data []byte) []rawField {
	var fields []rawField
	for len(data) > 0 {
		var f rawField
		var n int
		f.num, f.typ, n = protowire.ConsumeTag(data)
		data = data[n:]
		if f.typ == protowire.VarintType {
			f.varint, n = protowire.ConsumeVarint(data)
		} else {
			f.bytes, n = protowire.ConsumeBytes(data)
		}
		data = data[n:]
		fields = append(fields, f)
	}
	return fields
}

func joinFields(fields []rawField) []byte {
	var out []byte
	for _, f := range fields {
		out = protowire.AppendTag(out, f.num, f.typ)
		if f.typ == protowire.VarintType {
			out = protowire.AppendVarint(out, f.varint)
		} else {
			out = protowire.AppendBytes(out, f.bytes)
		}
	}
	return out
}
