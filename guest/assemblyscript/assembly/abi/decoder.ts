import { Reason, reasonName } from "./reason";
import { decodeUtf8, isUtf8 } from "./utf8";

const MAX_DEPTH = 64;
const MAX_MESSAGES = 262144;

enum Wire {
  Varint = 0,
  Fixed64 = 1,
  Bytes = 2,
  Fixed32 = 5,
}

/**
 * Walks over the fields of a message and of those in it, in memory that it
 * doesn't own. The first failure stays: from then on next is false and all else
 * is zero, so that no caller has to look for failures in between.
 *
 *     const outer = d.enter();
 *     while (d.next()) {
 *       switch (d.field) {
 *         case 1: this.path = d.raw(); break;
 *         default: d.skip();
 *       }
 *     }
 *     d.leave(outer);
 */
export class Decoder {
  /** The number of the current field. */
  field: u32 = 0;
  /** Why decoding failed, or None. */
  reason: Reason = Reason.None;
  /** Where the field that failed starts, in bytes from the start. */
  offset: u32 = 0;

  private base: usize = 0;
  private pos: usize = 0;
  private end: usize = 0; // of the message being read
  private last: usize = 0; // of all
  private start: usize = 0; // of the current field
  private wire: u32 = 0;
  private depth: i32 = 0;
  private count: i32 = 0;

  /** Starts anew, with the bytes given. */
  reset(ptr: usize, len: usize): void {
    this.base = ptr;
    this.pos = ptr;
    this.start = ptr;
    this.end = ptr + len;
    this.last = ptr + len;
    this.depth = 0;
    this.count = 0;
    this.reason = Reason.None;
    this.offset = 0;
  }

  /** What failed, for people. */
  get problem(): string {
    return reasonName(this.reason) + " at byte " + this.offset.toString();
  }

  fail(reason: Reason): void {
    if (this.reason == Reason.None) {
      this.reason = reason;
      this.offset = <u32>(this.start - this.base);
    }
    this.pos = this.end;
  }

  /** Fails because no member of a oneof is set, or a code is empty. */
  missing(): void {
    this.start = this.last;
    this.fail(Reason.Missing);
  }

  /** Reads the next tag. The caller has to read or skip the field. */
  next(): bool {
    if (this.pos >= this.end || this.reason != Reason.None) return false;
    this.start = this.pos;
    const tag = this.varint();
    const field = tag >> 3;
    if (field == 0 || field > 0x1fffffff) this.fail(Reason.FieldNumber);
    this.field = <u32>field;
    this.wire = <u32>(tag & 7);
    return this.reason == Reason.None;
  }

  private varint(): u64 {
    if (this.pos < this.end) {
      const b = load<u8>(this.pos);
      if (b < 0x80) {
        this.pos++;
        return b;
      }
    }
    return this.longVarint();
  }

  private longVarint(): u64 {
    let v: u64 = 0;
    for (let shift: u64 = 0; shift < 64; shift += 7) {
      if (this.pos >= this.end) {
        this.fail(Reason.Truncated);
        return 0;
      }
      const b = <u64>load<u8>(this.pos++);
      if (shift == 63 && b > 1) break;
      v |= (b & 0x7f) << shift;
      if (b < 0x80) return v;
    }
    this.fail(Reason.Overflow);
    return 0;
  }

  private want(wire: Wire): bool {
    if (this.wire == wire) return this.reason == Reason.None;
    this.fail(Reason.WireType);
    return false;
  }

  /** The length of a bytes field whose bytes are all there; its bytes are at cursor. */
  private length(): usize {
    const n = this.varint();
    if (n > <u64>(this.end - this.pos)) {
      this.fail(Reason.Truncated);
      return 0;
    }
    return <usize>n;
  }

  private advance(n: usize): void {
    if (n > this.end - this.pos) this.fail(Reason.Truncated);
    else this.pos += n;
  }

  /** Passes over a field that the message doesn't define. */
  skip(): void {
    switch (this.wire) {
      case Wire.Varint: this.varint(); break;
      case Wire.Bytes: this.advance(this.length()); break;
      case Wire.Fixed64: this.advance(8); break;
      case Wire.Fixed32: this.advance(4); break;
      default: this.fail(Reason.WireType);
    }
  }

  /** Starts an embedded message. The result goes to leave. */
  enter(): usize {
    const outer = this.end;
    if (++this.count > MAX_MESSAGES) this.fail(Reason.TooMany);
    else if (this.want(Wire.Bytes)) {
      const n = this.length();
      this.end = this.pos + n;
    }
    return outer;
  }

  leave(outer: usize): void {
    this.end = outer;
  }

  /** Reads a message without fields. */
  empty(): void {
    const outer = this.enter();
    while (this.next()) this.skip();
    this.leave(outer);
  }

  /** Starts a value. When it is false, the value lies too deep, and isn't entered. */
  descend(): bool {
    if (this.depth == MAX_DEPTH) {
      this.fail(Reason.Depth);
      return false;
    }
    this.depth++;
    return true;
  }

  ascend(): void {
    this.depth--;
  }

  uint64(): u64 {
    return this.want(Wire.Varint) ? this.varint() : 0;
  }

  uint32(): u32 {
    const v = this.uint64();
    if (v > <u64>u32.MAX_VALUE) {
      this.fail(Reason.Range);
      return 0;
    }
    return <u32>v;
  }

  sint64(): i64 {
    const v = this.uint64();
    return <i64>(v >> 1) ^ -<i64>(v & 1);
  }

  sint32(): i32 {
    const v = this.uint32();
    return <i32>(v >> 1) ^ -<i32>(v & 1);
  }

  bool(): bool {
    return this.uint64() != 0;
  }

  /** Reads one of the values 0 to last. */
  enumeration(last: u32): u32 {
    const v = this.uint64();
    if (v > <u64>last) {
      this.fail(Reason.Enum);
      return 0;
    }
    return <u32>v;
  }

  /** Reads a bytes field. Its bytes are in memory before cursor, as many as returned. */
  span(): usize {
    if (!this.want(Wire.Bytes)) return 0;
    const n = this.length();
    this.pos += n;
    return n;
  }

  /** The address after the last field read. */
  get cursor(): usize {
    return this.pos;
  }

  /** Whether the current field is a packed sequence. */
  get packed(): bool {
    return this.wire == Wire.Bytes;
  }

  /** Starts a packed sequence of numbers. The result goes to leave. */
  enterPacked(): usize {
    const outer = this.end;
    const n = this.length();
    this.end = this.pos + n;
    this.wire = Wire.Varint;
    return outer;
  }

  /** Whether the packed sequence has more. */
  get more(): bool {
    return this.pos < this.end && this.reason == Reason.None;
  }

  /** Reads a bytes field as a string. */
  raw(): string {
    const n = this.span();
    return decodeUtf8(this.pos - n, n);
  }

  /** Reads a bytes field. The result is a copy. */
  bytes(): Uint8Array {
    const n = this.span();
    const copy = new Uint8Array(<i32>n);
    memory.copy(copy.dataStart, this.pos - n, n);
    return copy;
  }

  /** Reads a string field. */
  text(): string {
    const n = this.span();
    if (!isUtf8(this.pos - n, n)) {
      this.fail(Reason.InvalidUtf8);
      return "";
    }
    return decodeUtf8(this.pos - n, n);
  }
}
