// The record of the call.

import { Error, Map, Set, String, isA, isBytes, lengthOf, mapForEach, setForEach, stringify, tagOf } from "./primordials.js";
import { addressOf, log as append } from "./host.js";
import { encodeText } from "./text.js";

function write(level, text) {
  const bytes = typeof text === "string" ? encodeText(text) : isBytes(text) ? text : encodeText(show(text));
  append(level, addressOf(bytes), lengthOf(bytes));
}

/** Adds a line at level info; log.debug, log.warn and log.error do so at theirs. */
export const log = (text) => write(1, text);
log.debug = (text) => write(0, text);
log.info = (text) => write(1, text);
log.warn = (text) => write(2, text);
log.error = (text) => write(3, text);

/** log.error, whatever a program makes of that. */
export const logError = log.error;

/** A value as people read it. */
export function show(v) {
  if (typeof v === "string") return v;
  if (isA(v, Error)) return v.stack ? v.name + ": " + v.message + "\n" + v.stack : v.name + ": " + v.message;
  if (typeof v === "bigint") return v + "n";
  if (typeof v !== "object" || v === null) return String(v);
  try {
    return stringify(v, (_, part) => (typeof part === "bigint" ? part + "n" : typeof part === "object" ? plain(part) : part));
  } catch {
    return tagOf(v); // it contains itself
  }
}

/** An object as JSON can have it. */
function plain(o) {
  if (isA(o, Map)) {
    const all = { __proto__: null };
    mapForEach(o, (value, key) => { all[key] = value; });
    return all;
  }
  const isSet = isA(o, Set);
  if (!isSet && !isBytes(o)) return o;
  const list = [];
  if (isSet) setForEach(o, (element) => { list[list.length] = element; });
  else for (let i = 0; i < lengthOf(o); i++) list[i] = o[i];
  return list;
}
