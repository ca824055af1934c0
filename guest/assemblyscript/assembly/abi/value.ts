import { Decoder } from "./decoder";
import { Encoder } from "./encoder";
import { compareUtf8, wellFormed } from "./utf8";

/** How deeply values may nest: one that holds no others has depth 1. */
export const MAX_DEPTH = 64;

export enum ValueKind {
  Null,
  Bool,
  Int,
  Text,
  Data,
  List,
  Map,
}

// What new values share, until they get their own.
const NO_DATA: Uint8Array = new Uint8Array(0);
const NO_VALUES: Value[] = new Array<Value>();
const NO_ENTRIES: Entry[] = new Array<Entry>();

/** A JSON-like value without fractions. What the field of another kind holds isn't used. */
export class Value {
  /** The value that is none. */
  static readonly NULL: Value = new Value(ValueKind.Null);

  /** The number, or 0 or 1 for a truth value. */
  int: i64 = 0;
  text: string = "";
  data: Uint8Array = NO_DATA;
  list: Value[] = NO_VALUES;
  /** Ascending by key in a value that Value.map made. */
  entries: Entry[] = NO_ENTRIES;

  constructor(public readonly kind: ValueKind) {}

  static bool(b: bool): Value {
    const v = new Value(ValueKind.Bool);
    v.int = i64(b);
    return v;
  }

  static int(n: i64): Value {
    const v = new Value(ValueKind.Int);
    v.int = n;
    return v;
  }

  static text(text: string): Value {
    const v = new Value(ValueKind.Text);
    v.text = text;
    return v;
  }

  /** Bytes, which aren't copied. */
  static data(bytes: Uint8Array): Value {
    const v = new Value(ValueKind.Data);
    v.data = bytes;
    return v;
  }

  /** A list of values, which isn't copied. */
  static list(values: Value[]): Value {
    const v = new Value(ValueKind.List);
    v.list = values;
    return v;
  }

  /** A map. The entries may come in any order; the last of a key counts. */
  static map(entries: Entry[]): Value {
    const v = new Value(ValueKind.Map);
    const sorted = new Array<Entry>();
    for (let i = 0, n = entries.length; i < n; i++) setEntry(sorted, entries[i].key, entries[i].value);
    v.entries = sorted;
    return v;
  }

  /** Whether it nests more than `room` deep. */
  deeperThan(room: i32): bool {
    if (room == 0) return true;
    if (this.kind == ValueKind.List) {
      for (let i = 0, n = this.list.length; i < n; i++) {
        if (this.list[i].deeperThan(room - 1)) return true;
      }
    } else if (this.kind == ValueKind.Map) {
      return entriesDeeperThan(this.entries, room - 1);
    }
    return false;
  }

  encode(e: Encoder, field: u32): void {
    const mark = e.open(field);
    switch (this.kind) {
      case ValueKind.Bool: e.setUint(1, this.int); break;
      case ValueKind.Int: e.setSint(2, this.int); break;
      case ValueKind.Text: e.setText(3, this.text); break;
      case ValueKind.Data: e.setSpan(4, this.data.dataStart, this.data.length); break;
      case ValueKind.List: {
        const inner = e.open(5);
        for (let i = 0, n = this.list.length; i < n; i++) this.list[i].encode(e, 1);
        e.close(inner);
        break;
      }
      case ValueKind.Map: {
        const inner = e.open(6);
        encodeEntries(e, 1, this.entries);
        e.close(inner);
        break;
      }
      default:
    }
    e.close(mark);
  }

  /** Reads a value on top of an earlier one: lists and maps are joined, all else is replaced. */
  static decode(d: Decoder, earlier: Value): Value {
    let v = earlier;
    if (!d.descend()) return v;
    const outer = d.enter();
    while (d.next()) {
      switch (d.field) {
        case 1: v = Value.bool(d.bool()); break;
        case 2: v = Value.int(d.sint64()); break;
        case 3: v = Value.text(d.text()); break;
        case 4: v = Value.data(d.bytes()); break;
        case 5:
          if (v.kind != ValueKind.List) v = Value.list([]);
          v.decodeList(d);
          break;
        case 6:
          if (v.kind != ValueKind.Map) v = Value.map([]);
          v.decodeMap(d);
          break;
        default: d.skip();
      }
    }
    d.leave(outer);
    d.ascend();
    return v;
  }

  private decodeList(d: Decoder): void {
    const outer = d.enter();
    while (d.next()) {
      if (d.field == 1) this.list.push(Value.decode(d, Value.NULL));
      else d.skip();
    }
    d.leave(outer);
  }

  private decodeMap(d: Decoder): void {
    const outer = d.enter();
    while (d.next()) {
      if (d.field == 1) this.entries.push(Entry.decode(d));
      else d.skip();
    }
    d.leave(outer);
  }
}

/** One entry of a map, a configuration or an error's context. */
export class Entry {
  constructor(
    public key: string,
    public value: Value,
  ) {}

  static decode(d: Decoder): Entry {
    const entry = new Entry("", Value.NULL);
    const outer = d.enter();
    while (d.next()) {
      switch (d.field) {
        case 1: entry.key = d.text(); break;
        case 2: entry.value = Value.decode(d, entry.value); break;
        default: d.skip();
      }
    }
    d.leave(outer);
    return entry;
  }
}

export function encodeEntries(e: Encoder, field: u32, entries: Entry[]): void {
  for (let i = 0, n = entries.length; i < n; i++) {
    const mark = e.open(field);
    e.text(1, entries[i].key);
    if (entries[i].value.kind != ValueKind.Null) entries[i].value.encode(e, 2);
    e.close(mark);
  }
}

/** Whether a value in the entries nests more than `room` deep. */
export function entriesDeeperThan(entries: Entry[], room: i32): bool {
  for (let i = 0, n = entries.length; i < n; i++) {
    if (entries[i].value.deeperThan(room)) return true;
  }
  return false;
}

/** Puts a value where its key belongs in ascending order; one of the same key is replaced. */
export function setEntry(entries: Entry[], key: string, value: Value): void {
  key = wellFormed(key);
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareUtf8(entries[middle].key, key) < 0) low = middle + 1;
    else high = middle;
  }
  if (low < entries.length && entries[low].key == key) {
    entries[low].value = value;
    return;
  }
  const entry = new Entry(key, value);
  entries.push(entry);
  entries.copyWithin(low + 1, low, entries.length - 1);
  entries[low] = entry;
}
