// Protobuf's wire format, as far as the messages of the ABI need it. A schema is
// an array of fields, ascending by number: {number, name, type, repeated}. The type
// is uint32, uint64, int64, sint32, sint64, bool, bytes, string, or a function that
// returns the schema of an embedded message.

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** A field of a schema. */
export const field = (number, name, type, repeated = false) => ({ number, name, type, repeated });

/** Encodes what is set of a message. Numbers may be numbers or BigInts, bytes may be strings. */
export function encode(schema, message) {
  const parts = [];
  for (const { number, name, type, repeated } of schema()) {
    const value = message[name];
    if (value === undefined) continue;
    for (const item of repeated ? value : [value]) encodeField(parts, number, type, item);
  }
  return Buffer.concat(parts);
}

function encodeField(parts, number, type, value) {
  const isMessage = typeof type === "function";
  if (isMessage || type === "bytes" || type === "string") {
    const bytes = isMessage ? encode(type, value) : Buffer.from(value);
    parts.push(varint((number << 3) | BYTES), varint(bytes.length), bytes);
  } else {
    parts.push(varint((number << 3) | VARINT), varint(unsigned(type, value)));
  }
}

function unsigned(type, value) {
  const n = BigInt(value);
  return BigInt.asUintN(64, type.startsWith("sint") ? (n << 1n) ^ (n >> 63n) : n);
}

function varint(value) {
  const bytes = [];
  for (let v = BigInt(value); ; v >>= 7n) {
    if (v < 0x80n) return Buffer.from([...bytes, Number(v)]);
    bytes.push(Number(v & 0x7fn) | 0x80);
  }
}

/** Decodes a message. 64-bit numbers are BigInts, bytes are Buffers. Throws if it is malformed. */
export function decode(schema, data) {
  const message = {};
  const fields = schema();
  for (const { name, repeated } of fields) if (repeated) message[name] = [];
  for (let at = 0; at < data.length; ) {
    const tag = readVarint(data, at);
    at = tag.next;
    const wire = Number(tag.value & 7n);
    const raw = readRaw(data, at, wire);
    at = raw.next;
    const known = fields.find((f) => f.number === Number(tag.value >> 3n));
    if (known !== undefined) keep(message, known, raw.value);
  }
  return message;
}

function readRaw(data, at, wire) {
  if (wire === VARINT) return readVarint(data, at);
  let length = { [FIXED64]: 8, [FIXED32]: 4 }[wire];
  if (wire === BYTES) {
    const prefix = readVarint(data, at);
    length = Number(prefix.value);
    at = prefix.next;
  }
  if (length === undefined) throw new Error(`wire type ${wire}`);
  if (at + length > data.length) throw new Error("truncated");
  return { value: data.subarray(at, at + length), next: at + length };
}

function readVarint(data, at) {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    if (at >= data.length) throw new Error("truncated");
    const byte = data[at++];
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return { value, next: at };
  }
  throw new Error("overflow");
}

function keep(message, { name, type, repeated }, raw) {
  if (!repeated) {
    message[name] = convert(type, raw);
  } else if (typeof raw !== "bigint" && type === "uint32") {
    for (let at = 0; at < raw.length; ) {
      const item = readVarint(raw, at);
      message[name].push(convert(type, item.value));
      at = item.next;
    }
  } else {
    message[name].push(convert(type, raw));
  }
}

function convert(type, raw) {
  if (typeof type === "function") return decode(type, raw);
  switch (type) {
    case "bytes": return Buffer.from(raw);
    case "string": return new TextDecoder("utf-8", { fatal: true }).decode(raw);
    case "bool": return raw !== 0n;
    case "uint32": return Number(raw);
    case "int64": return BigInt.asIntN(64, raw);
    case "sint32": return Number((raw >> 1n) ^ -(raw & 1n));
    case "sint64": return (raw >> 1n) ^ -(raw & 1n);
    default: return raw;
  }
}
