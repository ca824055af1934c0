import { encodeBytes, encodeText } from "./utf8";

/**
 * Writes a message into memory that it owns and keeps for the next. The bytes
 * from start to end are valid until the encoder is used again.
 */
export class Encoder {
  start: usize = 0;
  end: usize = 0;
  private limit: usize = 0;

  /** @param capacity bytes that are allocated at once */
  constructor(capacity: usize) {
    this.start = heap.alloc(capacity);
    this.end = this.start;
    this.limit = this.start + capacity;
  }

  get length(): usize {
    return this.end - this.start;
  }

  reset(): void {
    this.end = this.start;
  }

  /** Makes room for n more bytes. */
  private reserve(n: usize): void {
    if (n <= this.limit - this.end) return;
    const used = this.length;
    const capacity = max(used + n, (this.limit - this.start) << 1);
    this.start = heap.realloc(this.start, capacity);
    this.end = this.start + used;
    this.limit = this.start + capacity;
  }

  private varint(v: u64): void {
    this.reserve(10);
    let p = this.end;
    while (v >= 0x80) {
      store<u8>(p++, <u32>v | 0x80);
      v >>= 7;
    }
    store<u8>(p++, <u32>v);
    this.end = p;
  }

  /** Writes a number, also 0. */
  setUint(field: u32, v: u64): void {
    this.varint(field << 3);
    this.varint(v);
  }

  /** Writes a number, unless it is 0. */
  uint(field: u32, v: u64): void {
    if (v != 0) this.setUint(field, v);
  }

  /** Writes a sint number, also 0. */
  setSint(field: u32, v: i64): void {
    this.setUint(field, <u64>(v << 1) ^ <u64>(v >> 63));
  }

  sint(field: u32, v: i64): void {
    if (v != 0) this.setSint(field, v);
  }

  bool(field: u32, v: bool): void {
    this.uint(field, u64(v));
  }

  /**
   * Starts an embedded message or a field of bytes. The result, a mark, goes to
   * close, which fills in the length.
   */
  open(field: u32): usize {
    this.varint((field << 3) | 2);
    this.reserve(1);
    this.end++;
    return this.length;
  }

  /** One byte was kept for the length. What needs more is moved up. */
  close(mark: usize): void {
    const n = this.length - mark;
    let extra: usize = 0;
    for (let rest = n >> 7; rest != 0; rest >>= 7) extra++;
    if (extra != 0) {
      this.reserve(extra);
      const body = this.start + mark;
      memory.copy(body + extra, body, n);
      this.end += extra;
    }
    let p = this.start + mark - 1;
    let v = n;
    for (; v >= 0x80; v >>= 7) store<u8>(p++, v | 0x80);
    store<u8>(p, v);
  }

  /** Writes a bytes field, also an empty one. */
  setSpan(field: u32, ptr: usize, len: usize): void {
    this.varint((field << 3) | 2);
    this.varint(len);
    this.reserve(len);
    memory.copy(this.end, ptr, len);
    this.end += len;
  }

  bytes(field: u32, v: Uint8Array): void {
    if (v.length != 0) this.setSpan(field, v.dataStart, v.length);
  }

  /** Writes a string into a bytes field, also an empty one. */
  setRaw(field: u32, v: string): void {
    const mark = this.open(field);
    this.reserve(<usize>v.length * 3);
    this.end = encodeBytes(v, this.end);
    this.close(mark);
  }

  raw(field: u32, v: string): void {
    if (v.length != 0) this.setRaw(field, v);
  }

  /** Writes a string field, also an empty one. What can't be UTF-8 becomes U+FFFD. */
  setText(field: u32, v: string): void {
    const mark = this.open(field);
    this.reserve(<usize>v.length * 3);
    this.end = encodeText(v, this.end);
    this.close(mark);
  }

  text(field: u32, v: string): void {
    if (v.length != 0) this.setText(field, v);
  }

  /** Writes the bytes of a string, without a field around them. */
  append(v: string): void {
    this.reserve(<usize>v.length * 3);
    this.end = encodeBytes(v, this.end);
  }

  /** Writes bytes, without a field around them. */
  appendSpan(ptr: usize, len: usize): void {
    this.reserve(len);
    memory.copy(this.end, ptr, len);
    this.end += len;
  }
}
