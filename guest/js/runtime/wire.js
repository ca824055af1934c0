// Numbers, tags and lengths of protobuf's wire format. A number of 64 bits is read
// as two halves, as JavaScript's own numbers have 53.

import { BigInt, Error, Number, asIntN, copyOf, copyWithin, lengthOf, max, part, setBytes } from "./primordials.js";
import { Region } from "./host.js";
import { decodeAt, encodeAt, roomFor } from "./text.js";

/** Why a message can't be decoded. The reason is one of the specification's. */
export class DecodeError extends Error {
  constructor(reason, field) {
    super(field ? reason + " in " + field : reason);
    this.reason = reason;
  }
}

export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
export const FIXED32 = 5;

/** Reads from a region, which must have one byte more than the message. */
export class Decoder {
  constructor(region, length) {
    this.region = region;
    this.bytes = region.bytes;
    this.at = 0;
    this.end = length; // of the innermost message
    this.low = 0; // the halves of the last varint
    this.high = 0;
    this.messages = 0;
    this.unfinished = []; // what has to be looked at when all has been read
  }

  varint() {
    const { bytes, end } = this;
    let at = this.at;
    if (at < end && bytes[at] < 0x80) {
      this.low = bytes[at];
      this.high = 0;
      this.at = at + 1;
      return;
    }
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      if (shift === 70) throw new DecodeError("overflow");
      if (at === end) throw new DecodeError("truncated");
      const byte = bytes[at++];
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >> 4;
      } else if (shift < 63) high |= bits << (shift - 32);
      else if (bits > 1) throw new DecodeError("overflow");
      else high |= bits << 31;
      if (byte < 0x80) break;
    }
    this.low = low >>> 0;
    this.high = high >>> 0;
    this.at = at;
  }

  /** The length of a field, which lies within the message. */
  length() {
    const short = this.bytes[this.at];
    if (short < 0x80 && this.at + short < this.end) {
      this.at++;
      return short;
    }
    this.varint();
    if (this.high !== 0 || this.low > this.end - this.at) throw new DecodeError("truncated");
    return this.low;
  }

  /** Skips a field of any type but groups. */
  skip(type) {
    if (type === VARINT) this.varint();
    else if (type === BYTES) this.field();
    else if (type === FIXED64) this.skipFixed(8);
    else if (type === FIXED32) this.skipFixed(4);
    else throw new DecodeError("wire_type");
  }

  skipFixed(size) {
    if (this.end - this.at < size) throw new DecodeError("truncated");
    this.at += size;
  }

  /** The last varint as a number without a sign. */
  unsigned() {
    return join(this.high, this.low);
  }

  /** The last varint as one in two's complement. */
  signed() {
    return this.high < 0x80000000 ? join(this.high, this.low) : safe(asIntN(64, wide(this.high, this.low)));
  }

  /** The last varint as one in zigzag notation. */
  zigzag() {
    if (this.high === 0) return this.low & 1 ? -(this.low >>> 1) - 1 : this.low >>> 1;
    const n = wide(this.high, this.low);
    return safe(n & 1n ? -(n >> 1n) - 1n : n >> 1n);
  }

  /** The bytes of a field, as a copy. */
  data() {
    const start = this.field();
    return copyOf(this.bytes, start, this.at);
  }

  text() {
    const start = this.field();
    const text = decodeAt(this.region, start, this.at);
    if (text === undefined) throw new DecodeError("invalid_utf8");
    return text;
  }

  /** Bytes as text, if they are that. */
  octets() {
    const start = this.field();
    return decodeAt(this.region, start, this.at) ?? copyOf(this.bytes, start, this.at);
  }

  /** Skips the bytes of a field, and gives where they start. */
  field() {
    const length = this.length();
    const start = this.at;
    this.at = start + length;
    return start;
  }
}

/** The lower 32 bits. Not BigInt.asUintN: QuickJS takes the upper half of its results for negative. */
const half = (n) => Number(asIntN(32, n)) >>> 0;

const wide = (high, low) => (BigInt(high) << 32n) | BigInt(low);
const join = (high, low) => (high < 0x200000 ? high * 0x100000000 + low : wide(high, low));

/** A number if it is one exactly, else the BigInt that it is. */
export const safe = (n) => (n >= -9007199254740991n && n <= 9007199254740991n ? Number(n) : n);

/** Writes into a region that grows. */
export class Encoder {
  constructor() {
    this.region = new Region(1024);
    this.bytes = this.region.bytes;
    this.at = 0;
  }

  /** Makes room for more bytes. */
  reserve(size) {
    const need = this.at + size;
    if (need <= this.region.size) return;
    const region = new Region(max(need, 2 * this.region.size));
    setBytes(region.bytes, part(this.bytes, 0, this.at));
    this.region = region;
    this.bytes = region.bytes;
  }

  /** Writes a number from 0 to 2^32-1. */
  u32(n) {
    this.reserve(5);
    while (n >= 0x80) {
      this.bytes[this.at++] = n | 0x80;
      n >>>= 7;
    }
    this.bytes[this.at++] = n;
  }

  /** Writes an integer, a negative one in two's complement. */
  integer(n) {
    if (typeof n === "number" && n >= 0 && n <= 0xffffffff) return this.u32(n);
    const wide = BigInt(n);
    this.halves(half(wide >> 32n), half(wide));
  }

  /** Writes a number of 64 bits. */
  halves(high, low) {
    this.reserve(10);
    while (high !== 0) {
      this.bytes[this.at++] = low | 0x80;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    this.u32(low);
  }

  zigzag(n) {
    if (typeof n === "number" && n >= -0x40000000 && n < 0x40000000) return this.u32(((n << 1) ^ (n >> 31)) >>> 0);
    const twice = BigInt(n) << 1n;
    this.integer(n < 0 ? -twice - 1n : twice);
  }

  data(bytes) {
    const size = lengthOf(bytes);
    this.u32(size);
    this.reserve(size);
    setBytes(this.bytes, bytes, this.at);
    this.at += size;
  }

  text(text) {
    this.reserve(roomFor(text) + 5);
    const start = this.begin();
    this.at = encodeAt(text, this.region, this.at);
    this.finish(start);
  }

  /** Leaves a byte for the length of what follows. */
  begin() {
    this.reserve(1);
    return ++this.at;
  }

  /** Writes the length of what was written since begin. */
  finish(start) {
    const length = this.at - start;
    let size = 1;
    for (let n = length; n >= 0x80; n >>>= 7) size++;
    if (size > 1) {
      this.reserve(size);
      copyWithin(this.bytes, start - 1 + size, start, this.at);
    }
    this.at = start - 1;
    this.u32(length);
    this.at += length;
  }
}
