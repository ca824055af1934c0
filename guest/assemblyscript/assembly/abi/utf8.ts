// Strings have UTF-16 units, messages have bytes, which need not be UTF-8. A byte
// 0x80 to 0xff that is part of no valid sequence becomes the lone surrogate U+DC80
// to U+DCFF, and goes back to that byte where a field holds bytes. UTF-8 has no
// encoding of surrogates, so nothing else is decoded to one, and no byte is lost.
// Where a field holds text, a run of lone surrogates is written as one U+FFFD.

const REPLACEMENT: u32 = 0xfffd;

// @ts-ignore: decorator
@inline
function continues(p: usize): bool {
  return (load<u8>(p) & 0xc0) == 0x80;
}

/** The length of the valid sequence at p, or 0. */
function sequenceLength(p: usize, end: usize): usize {
  const lead = <u32>load<u8>(p);
  if (lead < 0x80) return 1;
  const left = end - p;
  if (lead < 0xc2 || lead > 0xf4 || left < 2) return 0;
  const second = <u32>load<u8>(p, 1);
  if ((second & 0xc0) != 0x80) return 0;
  if (lead < 0xe0) return 2;
  if (left < 3 || !continues(p + 2)) return 0;
  if (lead < 0xf0) {
    if (lead == 0xe0 && second < 0xa0) return 0; // overlong
    if (lead == 0xed && second > 0x9f) return 0; // a surrogate
    return 3;
  }
  if (left < 4 || !continues(p + 3)) return 0;
  if (lead == 0xf0 && second < 0x90) return 0; // overlong
  if (lead == 0xf4 && second > 0x8f) return 0; // above U+10FFFF
  return 4;
}

/** Whether the bytes are UTF-8. */
export function isUtf8(ptr: usize, len: usize): bool {
  const end = ptr + len;
  while (ptr < end) {
    const n = sequenceLength(ptr, end);
    if (n == 0) return false;
    ptr += n;
  }
  return true;
}

/** How many UTF-16 units the bytes become. */
function unitsOf(ptr: usize, len: usize): usize {
  const end = ptr + len;
  let units: usize = 0;
  while (ptr < end) {
    const n = sequenceLength(ptr, end);
    units += n == 4 ? 2 : 1;
    ptr += max<usize>(n, 1);
  }
  return units;
}

/** The bytes as a string, of which encodeBytes makes the same bytes again. */
export function decodeUtf8(ptr: usize, len: usize): string {
  if (len == 0) return "";
  const end = ptr + len;
  const text = changetype<string>(__new(unitsOf(ptr, len) << 1, idof<string>()));
  let to = changetype<usize>(text);
  while (ptr < end) {
    const lead = <u32>load<u8>(ptr);
    const n = sequenceLength(ptr, end);
    if (n <= 1) {
      store<u16>(to, n == 1 ? lead : 0xdc00 | lead);
      ptr++;
    } else if (n == 2) {
      store<u16>(to, ((lead & 0x1f) << 6) | (load<u8>(ptr, 1) & 0x3f));
      ptr += 2;
    } else if (n == 3) {
      store<u16>(to, ((lead & 0x0f) << 12) | ((<u32>load<u8>(ptr, 1) & 0x3f) << 6) | (load<u8>(ptr, 2) & 0x3f));
      ptr += 3;
    } else {
      const point = ((lead & 0x07) << 18) | ((<u32>load<u8>(ptr, 1) & 0x3f) << 12) |
        ((<u32>load<u8>(ptr, 2) & 0x3f) << 6) | (load<u8>(ptr, 3) & 0x3f);
      store<u16>(to, 0xd7c0 + (point >> 10));
      store<u16>(to, 0xdc00 | (point & 0x3ff), 2);
      to += 2;
      ptr += 4;
    }
    to += 2;
  }
  return text;
}

function putPoint(to: usize, point: u32): usize {
  if (point < 0x80) {
    store<u8>(to, point);
    return to + 1;
  }
  if (point < 0x800) {
    store<u8>(to, 0xc0 | (point >> 6));
    store<u8>(to, 0x80 | (point & 0x3f), 1);
    return to + 2;
  }
  if (point < 0x10000) {
    store<u8>(to, 0xe0 | (point >> 12));
    store<u8>(to, 0x80 | ((point >> 6) & 0x3f), 1);
    store<u8>(to, 0x80 | (point & 0x3f), 2);
    return to + 3;
  }
  store<u8>(to, 0xf0 | (point >> 18));
  store<u8>(to, 0x80 | ((point >> 12) & 0x3f), 1);
  store<u8>(to, 0x80 | ((point >> 6) & 0x3f), 2);
  store<u8>(to, 0x80 | (point & 0x3f), 3);
  return to + 4;
}

/**
 * Writes the string to memory at `to`, where 3 bytes a unit must be free, and
 * returns the address after it. As text, lone surrogates are replaced; as bytes,
 * U+DC80 to U+DCFF become one byte each.
 */
function encode(text: string, to: usize, asText: bool): usize {
  let p = changetype<usize>(text);
  const end = p + (<usize>text.length << 1);
  let replacing = false; // the unit before was replaced
  while (p < end) {
    const unit = <u32>load<u16>(p);
    p += 2;
    if ((unit & 0xf800) != 0xd800) {
      to = putPoint(to, unit);
      replacing = false;
      continue;
    }
    if (unit < 0xdc00 && p < end && (<u32>load<u16>(p) & 0xfc00) == 0xdc00) {
      to = putPoint(to, 0x10000 + ((unit & 0x3ff) << 10) + (<u32>load<u16>(p) & 0x3ff));
      p += 2;
      replacing = false;
    } else if (!asText && unit >= 0xdc80 && unit <= 0xdcff) {
      store<u8>(to++, unit);
    } else {
      if (!asText || !replacing) to = putPoint(to, REPLACEMENT);
      replacing = true;
    }
  }
  return to;
}

export function encodeText(text: string, to: usize): usize {
  return encode(text, to, true);
}

export function encodeBytes(text: string, to: usize): usize {
  return encode(text, to, false);
}

/** The bytes of the string, in memory of its own. */
export function bytesOf(text: string): Uint8Array {
  const room = heap.alloc(max<usize>(<usize>text.length * 3, 1));
  const len = encodeBytes(text, room) - room;
  const bytes = new Uint8Array(<i32>len);
  memory.copy(bytes.dataStart, room, len);
  heap.free(room);
  return bytes;
}

/** The string as a message can carry it as text: itself, unless it has lone surrogates. */
export function wellFormed(text: string): string {
  for (let i = 0, n = text.length; i < n; i++) {
    const unit = <u32>text.charCodeAt(i);
    if ((unit & 0xf800) != 0xd800) continue;
    if (unit < 0xdc00 && i + 1 < n && (text.charCodeAt(i + 1) & 0xfc00) == 0xdc00) i++;
    else return repaired(text);
  }
  return text;
}

function repaired(text: string): string {
  const room = heap.alloc(<usize>text.length * 3);
  const result = decodeUtf8(room, encodeText(text, room) - room);
  heap.free(room);
  return result;
}

/** Compares as the UTF-8 bytes of the strings do: below 0, 0, or above. */
export function compareUtf8(a: string, b: string): i32 {
  const shared = min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i), y = b.charCodeAt(i);
    if (x != y) {
      // Surrogates stand for what lies above U+FFFF.
      const high = i32((x & 0xf800) == 0xd800), low = i32((y & 0xf800) == 0xd800);
      return high != low ? high - low : x - y;
    }
  }
  return a.length - b.length;
}
