// Decodes and encodes messages by their tables. A decoded message is an object
// with a property for each field; members of a oneof and optional fields that
// aren't there are undefined, and the oneof's own property names the member.

import { Map, each, lengthOf, mapForEach, mapSet, sort } from "./primordials.js";
import { all, message } from "./schema.js";
import { BYTES, DecodeError, Decoder, Encoder } from "./wire.js";
import { compareText } from "./text.js";

const MAX_DEPTH = 64; // of values
const MAX_MESSAGES = 262144; // embedded ones

const value = message("Value");
const content = message("Content");
const entry = message("Entry");

/** Decodes the message in the first bytes of a region, or throws a DecodeError. */
export function decodeMessage(m, region, length) {
  const decoder = new Decoder(region, length);
  const o = create(m, decoder);
  readFields(m, o, decoder, length, 0);
  const { unfinished } = decoder;
  for (let i = 0; i < unfinished.length; i += 2) unfinished[i].check(unfinished[i + 1]);
  return o;
}

function create(m, decoder) {
  const o = { __proto__: m.prototype, ...m.template };
  const { lists } = m;
  for (let i = 0; i < lists.length; i++) o[lists[i]] = [];
  if (m.check !== undefined) {
    const { unfinished } = decoder;
    unfinished[unfinished.length] = m;
    unfinished[unfinished.length] = o;
  }
  return o;
}

// What can only be checked when all has been read, as messages are merged.
function demand(name, oneof) {
  message(name).check = (o) => {
    if (o[oneof] === undefined) throw new DecodeError("missing", name + "." + oneof);
  };
}
demand("Call", "request");
demand("Reply", "kind");
demand("Outcome", "kind");
message("SandboxError").check = (o) => {
  if (o.code === "") throw new DecodeError("missing", "SandboxError.code");
};
message("Blob").check = (o) => {
  if (lengthOf(o.sha256) !== 0 && lengthOf(o.sha256) !== 32) throw new DecodeError("digest", "Blob.sha256");
};

const number = (read) => (decoder, f) => {
  decoder.varint();
  return read(decoder, f);
};

const narrow = (decoder, f) => {
  if (decoder.high !== 0) throw new DecodeError("range", f.place);
  return decoder.low;
};

/** How scalars are read, by their type. */
const scalars = {
  octets: (decoder) => decoder.octets(),
  string: (decoder) => decoder.text(),
  bytes: (decoder) => decoder.data(),
  uint64: number((decoder) => decoder.unsigned()),
  int64: number((decoder) => decoder.signed()),
  sint64: number((decoder) => decoder.zigzag()),
  uint32: number(narrow),
  sint32: number((decoder, f) => (narrow(decoder, f), decoder.zigzag())),
  bool: number((decoder) => decoder.low !== 0 || decoder.high !== 0),
  enum: number((decoder, f) => {
    if (decoder.high !== 0 || !f.numbers[decoder.low]) throw new DecodeError("enum", f.place);
    return decoder.low;
  }),
};
each(all(), (m) => each(m.fields, (f) => { f.read = scalars[f.type]; }));

/** Reads fields up to an end, into an object that may have some already. */
function readFields(m, o, decoder, end, depth) {
  const outer = decoder.end;
  const { bytes } = decoder;
  decoder.end = end;
  while (decoder.at < end) {
    const f = m.byTag[bytes[decoder.at]];
    if (f !== undefined) {
      decoder.at++;
      readField(f, o, decoder, depth);
    } else {
      readUncommon(m, o, decoder, depth);
    }
  }
  decoder.end = outer;
}

/** Reads a field that isn't known, or whose tag isn't written as short as it could be. */
function readUncommon(m, o, decoder, depth) {
  decoder.varint();
  if (decoder.high !== 0 || decoder.low < 8) throw new DecodeError("field_number", m.name);
  const wire = decoder.low & 7;
  const f = m.byNumber[decoder.low >>> 3];
  if (f === undefined) decoder.skip(wire);
  else if (f.packed && wire === BYTES) readPacked(f, o, decoder);
  else if (wire !== f.wire) throw new DecodeError("wire_type", f.place);
  else readField(f, o, decoder, depth);
}

function readField(f, o, decoder, depth) {
  if (f.of !== undefined && o[f.of] !== f.name) {
    if (o[f.of] !== undefined) o[o[f.of]] = undefined;
    o[f.of] = f.name;
  }
  if (f.message !== undefined) readEmbedded(f, o, decoder, depth);
  else if (f.repeated) append(o[f.name], f.read(decoder, f));
  else o[f.name] = f.read(decoder, f);
}

const append = (list, element) => { list[list.length] = element; };

function readPacked(f, o, decoder) {
  const length = decoder.length();
  const outer = decoder.end;
  const end = decoder.end = decoder.at + length;
  while (decoder.at < end) append(o[f.name], f.read(decoder, f));
  decoder.end = outer;
}

function readEmbedded(f, o, decoder, depth) {
  const { message: m, name } = f;
  if (++decoder.messages > MAX_MESSAGES) throw new DecodeError("too_many", f.place);
  if (m === value && ++depth > MAX_DEPTH) throw new DecodeError("depth", f.place);
  const length = decoder.length();
  let embedded = f.repeated ? undefined : o[name];
  if (embedded === undefined) {
    embedded = create(m, decoder);
    if (f.repeated) append(o[name], embedded);
    else o[name] = embedded;
  }
  readFields(m, embedded, decoder, decoder.at + length, depth);
}

/** Encodes a message behind what the encoder has. */
export function encodeMessage(m, o, encoder) {
  if (m.choice !== undefined) {
    const f = m.byName[o[m.choice]];
    if (f !== undefined) writeField(f, o[f.name], encoder, true);
    return;
  }
  const { fields } = m;
  for (let i = 0; i < fields.length; i++) {
    const f = fields[i];
    const v = o[f.name];
    if (v === undefined || f.of !== undefined && o[f.of] !== f.name) continue;
    if (!f.repeated) writeField(f, v, encoder, f.optional);
    else if (f.packed) writePacked(f, v, encoder);
    else writeAll(f, f.message === entry ? ascending(v) : v, encoder);
  }
}

function writeAll(f, list, encoder) {
  for (let i = 0; i < list.length; i++) writeField(f, list[i], encoder, true);
}

/** The last of each key, in ascending order. */
function ascending(entries) {
  const last = new Map();
  each(entries, (e) => mapSet(last, e.key, e));
  const list = [];
  mapForEach(last, (e) => append(list, e));
  return sort(list, (a, b) => compareText(a.key, b.key));
}

function writePacked(f, numbers, encoder) {
  if (numbers.length === 0) return;
  encoder.u32(f.tag);
  const start = encoder.begin();
  each(numbers, (n) => encoder.integer(n));
  encoder.finish(start);
}

/** Writes a field, one with its default only if it must be there. */
function writeField(f, v, encoder, always) {
  const before = encoder.at;
  switch (f.type) {
    case "message":
      if (f.message === content && isEmpty(v)) return;
      encoder.u32(f.tag);
      const start = encoder.begin();
      encodeMessage(f.message, v, encoder);
      if (encoder.at === start && !always) encoder.at = before;
      else encoder.finish(start);
      return;
    case "string":
      if (v === "" && !always) return;
      encoder.u32(f.tag);
      return encoder.text(v);
    case "octets":
    case "bytes":
      if (sizeOf(v) === 0 && !always) return;
      encoder.u32(f.tag);
      return typeof v === "string" ? encoder.text(v) : encoder.data(v);
    case "sint64":
    case "sint32":
      if (v == 0 && !always) return; // 0n is 0
      encoder.u32(f.tag);
      return encoder.zigzag(v);
    default:
      if (v == 0 && !always) return;
      encoder.u32(f.tag);
      return encoder.integer(v === true ? 1 : v === false ? 0 : v);
  }
}

const sizeOf = (octets) => (typeof octets === "string" ? octets.length : lengthOf(octets));

const isEmpty = (c) => (c.source === "blob" ? c.blob.size == 0 : c.source === undefined || sizeOf(c.inline) === 0);

/** A encoder with an encoded message. */
export function encoded(m, o) {
  const encoder = new Encoder();
  encodeMessage(m, o, encoder);
  return encoder;
}
