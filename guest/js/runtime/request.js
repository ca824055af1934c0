// Calls as handlers get them.

import {
  BigInt, Date, Map, Number, Symbol, Uint8Array, defineProperty, each, every, freeze, isA, isArray, isBytes, keys, map,
  mapEntries, mapGet, mapHas,
} from "./primordials.js";
import { decodeLossy, encodeText, typeName } from "./text.js";
import { fromContent } from "./content.js";
import { GuestError, BAD_CONFIG } from "./errors.js";
import { methodsByName } from "./result.js";
import { message } from "./schema.js";

// A request is its decoded message. Paths and arguments need not be UTF-8: a property
// has them as text, and one with "Bytes" behind its name has them as they are. The
// latter is made when it is asked for, from the text or from what was set aside.

const raw = Symbol("bytes that aren't UTF-8");
const toBytes = (octets) => (typeof octets === "string" ? encodeText(octets) : octets);
const isText = (octets) => typeof octets === "string" || octets === undefined;

function addBytes(m) {
  m.texts = [];
  m.textLists = [];
  each(m.fields, ({ type, name, repeated }) => {
    if (type !== "octets") return;
    const list = repeated ? m.textLists : m.texts;
    list[list.length] = name;
    const get = repeated
      ? function () { return map(this[raw]?.[name] ?? this[name], toBytes); }
      : function () { return toBytes(this[raw]?.[name] ?? this[name]); };
    defineProperty(m.prototype, name + "Bytes", { get });
  });
}

/** Makes text of what isn't, and sets the bytes aside. */
function completeTexts(m, o) {
  const { texts, textLists } = m;
  for (let i = 0; i < texts.length; i++) {
    const name = texts[i];
    if (!isText(o[name])) setAside(o, name, decodeLossy(o[name]));
  }
  for (let i = 0; i < textLists.length; i++) {
    const name = textLists[i];
    if (!every(o[name], isText)) setAside(o, name, map(o[name], (octets) => (isText(octets) ? octets : decodeLossy(octets))));
  }
}

function setAside(o, name, text) {
  defineProperty(o, raw, { __proto__: null, value: { ...o[raw], [name]: o[name] }, configurable: true });
  o[name] = text;
}

const operation = message("PatchOperation");
const shell = message("Shell");
const shellModes = ["default", "off", "argv"];

function completeShell(o) {
  if (o === undefined) return freeze({ mode: shellModes[0], argv: [], argvBytes: [] });
  completeTexts(shell, o);
  o.mode = shellModes[o.mode];
  return o;
}

function completeContent(stream) {
  const content = fromContent(stream?.content);
  content.position = stream?.position ?? 0;
  content.isText = stream?.text ?? false;
  return content;
}

/** Makes a request of a decoded message. */
function complete(m, o) {
  completeTexts(m, o);
  if (m.byName.shell) o.shell = completeShell(o.shell);
  else if (m.byName.data) o.data = completeContent(o.data);
  else if (m.byName.operations) each(o.operations, (one) => completeTexts(operation, one));
  return o;
}

addBytes(operation);
addBytes(shell);
each(keys(methodsByName), (name) => addBytes(methodsByName[name].request));

/** A call of the session. */
export class Call {
  constructor(decoded, method, session) {
    this.index = decoded.index;
    this.timeNs = decoded.timeNs;
    this.method = method.name;
    this.request = complete(method.request, decoded[method.field]);
    this.session = session;
  }

  /** What the script configured for the module. */
  get config() {
    return this.session.config;
  }

  /** The virtual time of the call. */
  get time() {
    return new Date(Number(BigInt(this.timeNs) / 1000000n));
  }
}

/** The configuration of a module. A setting of another type than asked for ends the call. */
export class Config {
  #settings;

  constructor(settings) {
    this.#settings = settings;
  }

  /** A setting as it is: null, boolean, number, BigInt, string, Uint8Array, Array or Map. */
  get(name, fallback) {
    return mapHas(this.#settings, name) ? mapGet(this.#settings, name) : fallback;
  }

  /** A text, or the fallback if there is none. */
  string(name, fallback = "") {
    return this.#typed(name, fallback, "a text", (v) => typeof v === "string");
  }

  /** An integer, a BigInt if it is beyond those that numbers can be. */
  integer(name, fallback = 0) {
    return this.#typed(name, fallback, "an integer", (v) => typeof v === "number" || typeof v === "bigint");
  }

  boolean(name, fallback = false) {
    return this.#typed(name, fallback, "a truth value", (v) => typeof v === "boolean");
  }

  bytes(name, fallback = new Uint8Array(0)) {
    return this.#typed(name, fallback, "bytes", isBytes);
  }

  list(name, fallback = []) {
    return this.#typed(name, fallback, "a list", isArray);
  }

  map(name, fallback = new Map()) {
    return this.#typed(name, fallback, "a map", (v) => isA(v, Map));
  }

  #typed(name, fallback, kind, fits) {
    const v = mapGet(this.#settings, name) ?? null;
    if (v === null) return fallback;
    if (fits(v)) return v;
    throw new GuestError(BAD_CONFIG, name + " must be " + kind + ", not " + typeName(v));
  }

  /** The settings with their names, ascending by name. */
  [Symbol.iterator]() {
    return mapEntries(this.#settings);
  }
}
