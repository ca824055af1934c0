// Handlers, under their names.

import { typeName } from "./text.js";
import { methods } from "./result.js";

export const MATCH = 1;
export const RESPOND = 2;

const handlers = []; // by id - 1
const numbers = new Map([...methods.values()].map((m) => [m.name, m.number]));
let closed = false;

/** The identity of the guest, as the host shows it. */
export const identity = { name: "", version: "", configSchema: "" };
export const hooks = { open: [], close: [] };

/** Ends the time for registering: the host may know the handlers. */
export const closeRegistry = () => void (closed = true);

/** The handler with an id, or undefined. */
export const handlerOf = (id) => handlers[id - 1];

/** All handlers, as they are described. */
export const described = () => handlers.map((h, i) => ({
  id: i + 1, name: h.name, kind: h.kind, methods: h.all ? [] : [...h.methods.keys()].sort((a, b) => a - b),
}));

function checkOpen(what) {
  if (closed) throw new Error(`${what}: handlers are registered while the file is evaluated, not later`);
}

function checkFunction(f, what) {
  if (typeof f !== "function") throw new TypeError(`${what} needs a function, not ${typeName(f)}`);
}

function register(kind, what, name, run, numbersOfMethods) {
  checkOpen(what);
  if (typeof name !== "string" || name === "") throw new TypeError(`${what} needs a name, not ${name === "" ? "an empty one" : typeName(name)}`);
  checkFunction(run, `${what}("${name}")`);
  let handler = handlers.find((h) => h.kind === kind && h.name === name);
  if (handler === undefined) {
    handler = { kind, name, methods: new Map(), all: undefined };
    handlers.push(handler);
  }
  const taken = handler.all || (numbersOfMethods ? numbersOfMethods.some((n) => handler.methods.has(n)) : handler.methods.size > 0);
  if (taken) throw new Error(`${what}: "${name}" is registered twice`);
  if (numbersOfMethods === undefined) handler.all = run;
  else for (const n of numbersOfMethods) handler.methods.set(n, run);
}

function numbersOf(names, what) {
  if (names === undefined) return undefined;
  if (!Array.isArray(names) || names.length === 0) throw new TypeError(`${what}: methods must be an array of names`);
  return names.map((name) => {
    const number = numbers.get(name);
    if (number === undefined) throw new TypeError(`${what}: there is no method ${String(name)}`);
    return number;
  });
}

const forMethod = (what, name) => (handler, run) => register(RESPOND, what, handler, run, [numbers.get(name)]);

export const onApplyPatch = forMethod("onApplyPatch", "apply_patch");
export const onExec = forMethod("onExec", "exec");
export const onLs = forMethod("onLs", "ls");
export const onMkdir = forMethod("onMkdir", "mkdir");
export const onPtyExecStart = forMethod("onPtyExecStart", "pty_exec_start");
export const onPtyWriteStdin = forMethod("onPtyWriteStdin", "pty_write_stdin");
export const onRead = forMethod("onRead", "read");
export const onRm = forMethod("onRm", "rm");
export const onWrite = forMethod("onWrite", "write");

/** Registers a responder for several methods, or for all. */
export const respond = (name, run, { methods: names } = {}) => register(RESPOND, "respond", name, run, numbersOf(names, "respond"));

/** Registers a matcher, for some methods or for all. */
export const match = (name, run, { methods: names } = {}) => register(MATCH, "match", name, run, numbersOf(names, "match"));

/** Runs a function at the start of a session. What it throws refuses the configuration. */
export function onOpen(run) {
  checkOpen("onOpen");
  checkFunction(run, "onOpen");
  hooks.open.push(run);
}

/** Runs a function at the end of a session. */
export function onClose(run) {
  checkOpen("onClose");
  checkFunction(run, "onClose");
  hooks.close.push(run);
}

/** Tells who the guest is; configSchema is a JSON Schema, as an object or as text. */
export function describe({ name, version, configSchema } = {}) {
  checkOpen("describe");
  if (name !== undefined) identity.name = String(name);
  if (version !== undefined) identity.version = String(version);
  if (configSchema !== undefined) identity.configSchema = typeof configSchema === "string" ? configSchema : JSON.stringify(configSchema);
}
