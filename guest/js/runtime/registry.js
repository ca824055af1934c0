// Handlers, under their names.

import { Error, Number, String, TypeError, each, every, isArray, keys, map, nothing, stringify } from "./primordials.js";
import { typeName } from "./text.js";
import { methodsByName } from "./result.js";

export const MATCH = 1;
export const RESPOND = 2;

const handlers = []; // by id - 1
let closed = false;

/** The identity of the guest, as the host shows it. */
export const identity = { name: "", version: "", configSchema: "" };
export const hooks = { open: [], close: [] };

/** Ends the time for registering: the host may know the handlers. */
export const closeRegistry = () => void (closed = true);

/** The handler with an id, or undefined. */
export const handlerOf = (id) => handlers[id - 1];

/** All handlers, as they are described. */
export const described = () => map(handlers, (h, i) => ({
  id: i + 1, name: h.name, kind: h.kind, methods: h.all ? [] : map(keys(h.methods), Number), // ascending, as all such keys are
}));

function checkOpen(what) {
  if (closed) throw new Error(what + ": handlers are registered while the file is evaluated, not later");
}

function checkFunction(f, what) {
  if (typeof f !== "function") throw new TypeError(what + " needs a function, not " + typeName(f));
}

function register(kind, what, name, run, numbersOfMethods) {
  checkOpen(what);
  if (typeof name !== "string" || name === "") throw new TypeError(what + " needs a name, not " + (name === "" ? "an empty one" : typeName(name)));
  checkFunction(run, what + '("' + name + '")');
  const handler = named(kind, name);
  const taken = handler.all || (numbersOfMethods ? !every(numbersOfMethods, (n) => !handler.methods[n]) : keys(handler.methods).length > 0);
  if (taken) throw new Error(what + ': "' + name + '" is registered twice');
  if (numbersOfMethods === undefined) handler.all = run;
  else each(numbersOfMethods, (n) => { handler.methods[n] = run; });
}

/** The handler with a name, a new one if there is none. */
function named(kind, name) {
  for (let i = 0; i < handlers.length; i++) {
    if (handlers[i].kind === kind && handlers[i].name === name) return handlers[i];
  }
  return handlers[handlers.length] = { kind, name, methods: { __proto__: null }, all: undefined };
}

function numbersOf(names, what) {
  if (names === undefined) return undefined;
  if (!isArray(names) || names.length === 0) throw new TypeError(what + ": methods must be an array of names");
  return map(names, (name) => {
    const method = methodsByName[name];
    if (method === undefined) throw new TypeError(what + ": there is no method " + String(name));
    return method.number;
  });
}

const forMethod = (what, name) => (handler, run) => register(RESPOND, what, handler, run, [methodsByName[name].number]);

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
export const respond = (name, run, { methods: names } = nothing) => register(RESPOND, "respond", name, run, numbersOf(names, "respond"));

/** Registers a matcher, for some methods or for all. */
export const match = (name, run, { methods: names } = nothing) => register(MATCH, "match", name, run, numbersOf(names, "match"));

/** Runs a function at the start of a session. What it throws refuses the configuration. */
export function onOpen(run) {
  checkOpen("onOpen");
  checkFunction(run, "onOpen");
  hooks.open[hooks.open.length] = run;
}

/** Runs a function at the end of a session. */
export function onClose(run) {
  checkOpen("onClose");
  checkFunction(run, "onClose");
  hooks.close[hooks.close.length] = run;
}

/** Tells who the guest is; configSchema is a JSON Schema, as an object or as text. */
export function describe({ name, version, configSchema } = nothing) {
  checkOpen("describe");
  if (name !== undefined) identity.name = String(name);
  if (version !== undefined) identity.version = String(version);
  if (configSchema !== undefined) identity.configSchema = typeof configSchema === "string" ? configSchema : stringify(configSchema);
}
