// Values of the ABI, which have no fractions, and what they are in JavaScript:
// null, boolean, number or BigInt, string, Uint8Array, Array, and Map.

import {
  Map, RangeError, TypeError, each, entries as entriesOf, isA, isArray, isBytes, isSafeInteger, map, mapForEach, mapSet,
} from "./primordials.js";
import { typeName } from "./text.js";

const MAX_DEPTH = 64;
const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
const NULL = { kind: undefined };

/** What a decoded Value is. */
export function fromValue(v) {
  switch (v?.kind) {
    case undefined: return null;
    case "list": return map(v.list.values, fromValue);
    case "map": return fromEntries(v.map.entries);
    default: return v[v.kind];
  }
}

/** Decoded entries as a Map in their order; of equal keys the last counts. */
export function fromEntries(entries) {
  const all = new Map();
  each(entries, (e) => mapSet(all, e.key, fromValue(e.value)));
  return all;
}

/** A Value of what a handler gave. Errors tell of it by a name. */
export function toValue(v, what, depth = 0) {
  if (depth > MAX_DEPTH) throw new TypeError(what + " is nested too deep");
  if (v === null || v === undefined) return NULL;
  switch (typeof v) {
    case "boolean": return { kind: "bool", bool: v };
    case "string": return { kind: "text", text: v };
    case "bigint":
      if (v < MIN || v > MAX) throw new RangeError(what + " doesn't fit into 64 bits");
      return { kind: "int", int: v };
    case "number":
      if (!isSafeInteger(v)) throw new TypeError(what + " is " + v + ": numbers have no fraction, and large ones are BigInt");
      return { kind: "int", int: v };
    case "object":
      if (isBytes(v)) return { kind: "data", data: v };
      if (isArray(v)) return { kind: "list", list: { values: map(v, (e, i) => toValue(e, what + "[" + i + "]", depth + 1)) } };
      return { kind: "map", map: { entries: toEntries(v, what, depth + 1) } };
    default: throw new TypeError(what + " is " + typeName(v) + ", which can't be passed on");
  }
}

/** Entries of a Map or an object. */
export function toEntries(o, what, depth = 0) {
  const all = [];
  const add = (v, key) => {
    if (typeof key !== "string") throw new TypeError(what + " has a key that is " + typeName(key));
    all[all.length] = { key, value: toValue(v, what + "." + key, depth) };
  };
  if (isA(o, Map)) mapForEach(o, add);
  else each(entriesOf(o), (pair) => add(pair[1], pair[0]));
  return all;
}
