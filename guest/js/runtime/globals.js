// Globals that programs expect: those of the language whose answers must follow from
// the session alone, and some that browsers and node have beside the language.

import {
  DataView, RangeError, String, TypeError, Uint8Array, bytesOf, each, find, getUint32, isView, joined, map, nothing, slice,
  startsWith,
} from "./primordials.js";
import { Region, random } from "./host.js";
import { log, show } from "./log.js";
import { decodeLossy, decodeBytes, encodeText } from "./text.js";

/** Puts them in place. */
export function install() {
  const at = (add) => (...values) => add(joined(map(values, show), " "));
  globalThis.console = {
    log: at(log.info), info: at(log.info), debug: at(log.debug), trace: at(log.debug), warn: at(log.warn), error: at(log.error),
  };
  globalThis.print = console.log;
  globalThis.TextEncoder = TextEncoder;
  globalThis.TextDecoder = TextDecoder;
  Math.random = makeRandom();
  each(["QJS_PROXY_VALUE", "bjson", "os", "scriptArgs", "std"], (name) => { delete globalThis[name]; });
}

/** Texts to UTF-8. */
class TextEncoder {
  get encoding() {
    return "utf-8";
  }

  encode(text = "") {
    return encodeText(String(text));
  }
}

/** Texts from UTF-8; a decoder that is fatal throws a TypeError for what isn't. */
class TextDecoder {
  #fatal;

  constructor(label = "utf-8", { fatal = false } = nothing) {
    if (!find(/^utf-?8$/i, label)) throw new RangeError("the encoding " + label + " isn't there, only utf-8 is");
    this.#fatal = fatal;
  }

  get encoding() {
    return "utf-8";
  }

  get fatal() {
    return this.#fatal;
  }

  decode(data = new Uint8Array(0)) {
    const bytes = isView(data) ? bytesOf(data) : new Uint8Array(data);
    const text = this.#fatal ? decodeBytes(bytes) : decodeLossy(bytes);
    if (text === undefined) throw new TypeError("the data isn't UTF-8");
    return startsWith(text, "\uFEFF") ? slice(text, 1) : text;
  }
}

/** Numbers from 0 to 1 with 53 random bits, which follow from the session's seed. */
function makeRandom() {
  const pool = new Region(256);
  const words = new DataView(pool.buffer);
  let next = pool.size;
  return function random53() {
    if (next === pool.size) {
      random(pool.address, pool.size);
      next = 0;
    }
    const high = getUint32(words, next, true) >>> 5;
    const low = getUint32(words, next + 4, true) >>> 6;
    next += 8;
    return (high * 67108864 + low) / 9007199254740992;
  };
}
