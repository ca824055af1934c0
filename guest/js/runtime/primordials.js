// The language's own objects and functions, as they were before the program ran. A
// program may change or remove any of them, and what it changes it changes for itself:
// the runtime takes them from here, calls methods as functions, and once a program can
// have run neither iterates nor spreads a list nor has texts with ${}: the interpreter
// calls what a program can change for these.

export const {
  ArrayBuffer, BigInt, DataView, Date, Error, Function, Map, Number, Promise, RangeError, Set, String, Symbol, SyntaxError,
  TypeError, Uint32Array, Uint8Array,
} = globalThis;

export const { isArray } = Array;
export const { isView } = ArrayBuffer;
export const { asIntN } = BigInt;
export const { stringify } = JSON;
export const { max, min, trunc } = Math;
export const { isInteger, isSafeInteger } = Number;
export const { defineProperty, entries, freeze, keys } = Object;
export const { fromCharCode, fromCodePoint } = String;

/** What the interpreter calls itself. */
export const interpreter = String(navigator.userAgent);

/** Makes a function of a method, which takes the object first. */
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const getter = (prototype, name) => uncurry(Object.getOwnPropertyDescriptor(prototype, name).get);

export const sort = uncurry(Array.prototype.sort);
export const joined = uncurry(Array.prototype.join);

export const mapEntries = uncurry(Map.prototype.entries);
export const mapForEach = uncurry(Map.prototype.forEach);
export const mapGet = uncurry(Map.prototype.get);
export const mapHas = uncurry(Map.prototype.has);
export const mapSet = uncurry(Map.prototype.set);
export const setForEach = uncurry(Set.prototype.forEach);

/** What an expression finds in a text, or null. It is neither global nor sticky. */
export const find = uncurry(RegExp.prototype.exec);

export const charCodeAt = uncurry(String.prototype.charCodeAt);
export const includes = uncurry(String.prototype.includes);
export const indexOf = uncurry(String.prototype.indexOf);
export const isWellFormed = uncurry(String.prototype.isWellFormed);
export const lastIndexOf = uncurry(String.prototype.lastIndexOf);
export const slice = uncurry(String.prototype.slice);
export const startsWith = uncurry(String.prototype.startsWith);
export const toWellFormed = uncurry(String.prototype.toWellFormed);

const typed = Object.getPrototypeOf(Uint8Array.prototype);
const typeOfArray = getter(typed, Symbol.toStringTag);
export const bufferOf = getter(typed, "buffer");
export const offsetOf = getter(typed, "byteOffset");
export const lengthOf = getter(typed, "byteLength");
export const copyWithin = uncurry(typed.copyWithin);
export const setBytes = uncurry(typed.set);
const includesNumber = uncurry(typed.includes);

const view = DataView.prototype;
const bufferOfView = getter(view, "buffer");
const offsetOfView = getter(view, "byteOffset");
const lengthOfView = getter(view, "byteLength");
export const getUint32 = uncurry(view.getUint32);
export const setUint32 = uncurry(view.setUint32);

const isPrototypeOf = uncurry(Object.prototype.isPrototypeOf);
export const tagOf = uncurry(Object.prototype.toString);

/** Whether a value is an object of a class, which instanceof asks the class itself. */
export const isA = (value, type) => isPrototypeOf(type.prototype, value);
export const isBytes = (value) => isView(value) && typeOfArray(value) === "Uint8Array";

/** Options where none are given, and what else has no properties, not even inherited ones. */
export const nothing = freeze({ __proto__: null });

/** A list of what a function gives for each element of a list and its index. */
export function map(list, f) {
  const all = [];
  for (let i = 0; i < list.length; i++) all[i] = f(list[i], i);
  return all;
}

export function each(list, f) {
  for (let i = 0; i < list.length; i++) f(list[i], i);
}

export function every(list, f) {
  for (let i = 0; i < list.length; i++) if (!f(list[i])) return false;
  return true;
}

/** The place of a value in a list, or -1. */
export function place(list, value) {
  for (let i = 0; i < list.length; i++) if (list[i] === value) return i;
  return -1;
}

/** The lines of a text. */
export function linesOf(text) {
  const lines = [];
  for (let start = 0; ;) {
    const end = indexOf(text, "\n", start);
    if (end < 0) {
      lines[lines.length] = slice(text, start);
      return lines;
    }
    lines[lines.length] = slice(text, start, end);
    start = end + 1;
  }
}

/** The bytes from a place to another, not copied. */
export const part = (bytes, start, end = lengthOf(bytes)) => new Uint8Array(bufferOf(bytes), offsetOf(bytes) + start, end - start);

/** A copy of the bytes from a place to another. */
export const copyOf = (bytes, start, end) => new Uint8Array(part(bytes, start, end));

export const hasByte = (bytes, byte, start, end) => includesNumber(part(bytes, start, end), byte);

/** The bytes that a view of any kind shows, not copied. */
export function bytesOf(view) {
  return typeOfArray(view) === undefined
    ? new Uint8Array(bufferOfView(view), offsetOfView(view), lengthOfView(view))
    : part(view, 0);
}
