// The record of the call.

import { addressOf, log as append } from "./host.js";
import { encodeText } from "./text.js";

const levels = { debug: 0, info: 1, warn: 2, error: 3 };

function write(level, text) {
  const bytes = typeof text === "string" ? encodeText(text) : text instanceof Uint8Array ? text : encodeText(show(text));
  append(level, addressOf(bytes), bytes.length);
}

/** Adds a line at level info; log.debug, log.warn and log.error do so at theirs. */
export const log = (text) => write(levels.info, text);
for (const [name, level] of Object.entries(levels)) log[name] = (text) => write(level, text);

/** A value as people read it. */
export function show(v) {
  if (typeof v === "string") return v;
  if (v instanceof Error) return v.stack ? `${v.name}: ${v.message}\n${v.stack}` : `${v.name}: ${v.message}`;
  if (typeof v === "bigint") return `${v}n`;
  if (typeof v !== "object" || v === null) return String(v);
  try {
    return JSON.stringify(v, (_, part) => {
      if (typeof part === "bigint") return `${part}n`;
      if (part instanceof Map) return Object.fromEntries(part);
      return part instanceof Set || part instanceof Uint8Array ? [...part] : part;
    });
  } catch {
    return Object.prototype.toString.call(v); // it contains itself
  }
}
