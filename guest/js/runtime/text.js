// UTF-8. The interpreter's own conversion is fast, but takes texts without NUL
// only, and is lenient; what it may have got wrong is done again here.

import {
  ArrayBuffer, TypeError, Uint8Array, charCodeAt, find, fromCharCode, fromCodePoint, hasByte, includes, indexOf, isA,
  isArray, isBytes, isWellFormed, lengthOf, part, setBytes, slice, toWellFormed,
} from "./primordials.js";
import { Region, decode, encode } from "./host.js";

const SHORT = 16; // code units up to which a loop is faster than a call

/** The text of region.bytes[start…end), or undefined if it isn't UTF-8. Needs one byte after it. */
export function decodeAt(region, start, end) {
  const { bytes } = region;
  if (end - start <= SHORT) {
    let text = "";
    for (let i = start; ; i++) {
      if (i === end) return text;
      if (bytes[i] >= 0x80) break;
      text += fromCharCode(bytes[i]);
    }
  }
  if (hasByte(bytes, 0, start, end)) return decodeStrictly(bytes, start, end);
  const after = bytes[end];
  bytes[end] = 0;
  const text = decode(region.address + start);
  bytes[end] = after;
  return includes(text, "\uFFFD") || !isWellFormed(text) ? decodeStrictly(bytes, start, end) : text;
}

/** The text of bytes, or undefined if they aren't UTF-8. */
export function decodeBytes(bytes) {
  const size = lengthOf(bytes);
  const region = new Region(size + 1);
  setBytes(region.bytes, bytes);
  return decodeAt(region, 0, size);
}

/** The text of bytes, with U+FFFD for what isn't UTF-8. */
export const decodeLossy = (bytes) => decodeBytes(bytes) ?? decodeSlowly(bytes, 0, lengthOf(bytes), "\uFFFD");

const decodeStrictly = (bytes, start, end) => decodeSlowly(bytes, start, end, undefined);

/** Decodes byte by byte. What isn't UTF-8 becomes the substitute, or ends it with undefined. */
function decodeSlowly(bytes, start, end, substitute) {
  let text = "";
  for (let i = start; i < end;) {
    const size = sequenceLength(bytes, i, end);
    if (size === 0) {
      if (substitute === undefined) return undefined;
      text += substitute;
      i++;
      continue;
    }
    let code = size === 1 ? bytes[i] : bytes[i] & (0xff >> (size + 1));
    for (let k = 1; k < size; k++) code = (code << 6) | (bytes[i + k] & 0x3f);
    text += fromCodePoint(code);
    i += size;
  }
  return text;
}

/** The length of the valid sequence at i, or 0. */
function sequenceLength(bytes, i, end) {
  const first = bytes[i];
  if (first < 0x80) return 1;
  const size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (size === 0 || i + size > end) return 0;
  for (let k = 1; k < size; k++) {
    if ((bytes[i + k] & 0xc0) !== 0x80) return 0;
  }
  const second = bytes[i + 1];
  if (first === 0xe0 && second < 0xa0) return 0; // overlong
  if (first === 0xed && second > 0x9f) return 0; // surrogate
  if (first === 0xf0 && second < 0x90) return 0; // overlong
  if (first === 0xf4 && second > 0x8f) return 0; // above U+10FFFF
  return size;
}

/** How many bytes encodeAt may need for a text. */
export const roomFor = (text) => text.length * 3 + 1;

/** Writes a text to region.bytes from a place on, and gives where it ends. */
export function encodeAt(text, region, at) {
  const { bytes } = region;
  if (text.length <= SHORT) {
    for (let i = 0; ; i++) {
      if (i === text.length) return at + i;
      const code = charCodeAt(text, i);
      if (code >= 0x80) break;
      bytes[at + i] = code;
    }
  }
  const whole = toWellFormed(text);
  for (let start = 0; ;) {
    const end = indexOf(whole, "\0", start);
    if (end < 0) return at + encode(start === 0 ? whole : slice(whole, start), region.address + at);
    at += encode(slice(whole, start, end), region.address + at);
    bytes[at++] = 0;
    start = end + 1;
  }
}

/** A text as UTF-8, in an array of its own. */
export function encodeText(text) {
  const region = new Region(roomFor(text));
  return part(region.bytes, 0, encodeAt(text, region, 0));
}

/** Bytes as they are, and texts as UTF-8. What else it is, the error says. */
export function toBytes(data, what) {
  if (typeof data === "string") return encodeText(data);
  if (isBytes(data)) return data;
  if (isA(data, ArrayBuffer)) return new Uint8Array(data);
  throw new TypeError(what + " must be a string or a Uint8Array, not " + typeName(data));
}

/** What a value is, for errors. */
export function typeName(value) {
  if (value === null) return "null";
  if (isArray(value)) return "an array";
  const given = typeof value === "object" ? value.constructor?.name : typeof value;
  const name = typeof given === "string" ? given : "Object";
  return name === "undefined" ? name : (find(/^[aeiou]/i, name) ? "an" : "a") + " " + name;
}

/** Compares texts as their UTF-8 bytes compare. */
export function compareText(a, b) {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const x = charCodeAt(a, i);
    const y = charCodeAt(b, i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Puts the halves of surrogate pairs, which stand for what is above U+FFFF, behind all other code units. */
const rank = (unit) => (unit < 0xd800 || unit > 0xdfff ? unit : unit + 0x10000);
