// Changes all that is built in and can be changed, and answers calls all the same:
// with syntax, and with what it kept from before.
import {
  accept, describe, extension, log, match, onApplyPatch, onExec, onLs, onMkdir, onOpen, onPtyExecStart, onPtyWriteStdin, onRead, onRm,
  onWrite, panic, reject, respond, SandboxError, Writer,
} from "wasmsandbox";

const how = "HOW"; // "remove", "break" or "lie"

const { Error: Failure, Map: Dictionary } = globalThis;
const bytes = new Uint8Array([0xff, 0x00, 0x41]);
const long = "é\0".repeat(50000);
const context = new Dictionary([["list", [1n, "a", null, bytes]], ["é", { nested: new Dictionary([["k", -5]]) }]]);
const shown = { big: 2n, map: new Dictionary([["k", new Set([3])]]), bytes };

/** The objects that a program can reach and that it hasn't made. */
function builtIns() {
  const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
  const found = new Set();
  const queue = [
    globalThis, [].values(), new Map().entries(), new Set().values(), ""[Symbol.iterator](), "".matchAll(/./g), function* () {},
    async () => {}, async function* () {},
  ];
  for (let o; (o = queue.pop()) !== undefined;) {
    if (o === null || found.has(o)) continue;
    found.add(o);
    queue.push(getPrototypeOf(o));
    for (const key of ownKeys(o)) {
      const { value, get, set } = getOwnPropertyDescriptor(o, key);
      for (const next of [value, get, set]) if (typeof next === "function" || typeof next === "object") queue.push(next);
    }
  }
  return [...found];
}

function spoil() {
  const { defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
  const todo = [];
  for (const o of builtIns()) {
    for (const key of ownKeys(o)) {
      const { value, get, configurable, writable } = getOwnPropertyDescriptor(o, key);
      const matters = get !== undefined || typeof value === "function" || typeof value === "object";
      if (matters && (configurable || writable)) todo.push({ o, key, get, configurable });
    }
  }
  if (todo.length < 500) throw new Error(`only ${todo.length} properties are changed`);
  const replacement = how === "break" ? () => { throw "spoiled"; } : () => "spoiled";
  for (let i = 0; i < todo.length; i++) { // from here on nothing can be called but what was kept
    const { o, key, get, configurable } = todo[i];
    if (how === "remove" && configurable) delete o[key];
    else if (get !== undefined) defineProperty(o, key, { __proto__: null, get: replacement, configurable: true });
    else defineProperty(o, key, { __proto__: null, value: replacement });
  }
  for (const name in { kind: 0, source: 0, message: 0, op: 0, methods: 0, retryable: 0, diff: 0, moveTo: 0, get: 0, set: 0, value: 0, stdout: 0, fatal: 0 }) {
    defineProperty(objects, name, { __proto__: null, value: "spoiled", configurable: true, enumerable: true, writable: true });
  }
  const { hasInstance } = symbols;
  for (let i = 0; i < classes.length; i++) defineProperty(classes[i], hasInstance, { __proto__: null, value: () => false });
}

const objects = Object.prototype;
const symbols = { hasInstance: Symbol.hasInstance };
const classes = [Error, Map, Uint8Array, Promise];

if (how !== "nothing") spoil();

describe({ name: "spoiled", version: "1", configSchema: '{"type": "object"}' });
onOpen(({ config }) => { log.debug("opened with " + config.string("text")); });

onExec("text", (call, { command, user, shell }) => ({ stdout: command[1], stderr: user + " " + shell.mode + " " + shell.argv[0], exitCode: 3 }));
onExec("bytes", (call, { commandBytes }) => ({ stdout: commandBytes[1], stderr: bytes }));
onExec("long", () => ({ stdout: long }));
onExec("config", ({ config, index, method }) => ({
  stdout: config.string("text") + "|" + config.string("none", "fallback") + "|" + config.integer("int") + "|" + config.boolean("bool") + "|" +
    config.bytes("bytes")[1] + "|" + config.list("list")[1] + "|" + config.get("none", "-") + "|" + index + "|" + method,
}));
onExec("wrong_config", ({ config }) => config.integer("text"));
onExec("writer", () => {
  const writer = new Writer();
  for (let i = 0; i < 30000; i++) writer.write("line\n");
  writer.write(bytes);
  return { stdout: writer };
});
onExec("async", async () => {
  await null;
  return { stdout: "later" };
});
onExec("async_failure", async () => {
  await null;
  throw new Failure("late");
});
onExec("never", () => ({ then() {} }));
onExec("thenable", () => ({ then: (resolve) => resolve({ stdout: "at once" }) }));
onExec("failure", () => { throw new Failure("it's broken"); });
onExec("null", () => null.property);
onExec("thrown", () => { throw "a text"; });
onExec("unknown_key", () => ({ stdot: "" }));
onExec("no_integer", () => ({ exitCode: 0.5 }));
onExec("sandbox_error", () => { throw new SandboxError("exec_timeout", { message: "too late", op: "exec", context, retryable: true }); });
onExec("plain_error", () => { throw new SandboxError("exec_timeout"); });
onExec("log", () => {
  log("plain");
  log.warn(bytes);
  log.error(shown);
  log(new Failure("shown"));
});
onExec("extension", () => ({ stdout: "" + extension(99, "x") }));
onExec("panic", () => panic("no way"));

onApplyPatch("all", (call, { operations }) => operations[0].type + " " + operations[0].path + " " + operations[0].diff + " " + operations[0].moveTo);
onLs("all", (call, { path }) => [{ path, permissions: 0o755, owner: "root", group: "staff", size: 2n ** 40n, kind: "directory" }]);
onMkdir("all", () => {});
onPtyExecStart("all", () => ({ processId: 7, output: "$ ", originalTokenCount: 2n ** 53n }));
onPtyWriteStdin("all", (call, { chars }) => ({ output: chars, exitCode: -1 }));
onRead("all", () => ({ content: bytes, position: 1 }));
onRm("all", () => undefined);
onWrite("all", (call, { data }) => { log(data.size + " " + data.text()[0] + " " + data.read(1, 2)[0]); });
respond("rest", () => ({ stdout: "some" }), { methods: ["exec"] });

match("polite", (call, { command }) => (command[1] === "please" ? accept() : reject("be polite").differ("args[1]", "please", command[1])));
