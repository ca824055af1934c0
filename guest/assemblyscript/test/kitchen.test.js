import assert from "node:assert/strict";
import test from "node:test";
import { GuestError, GuestPanic, Session, openSession } from "../testing/session.js";
import { compile, version } from "./compile.js";

const wasm = await compile("kitchen/index.ts");
const open = (options) => openSession(wasm, options);
const exec = (...command) => ({ exec: { command } });
const failsWith = (kind, message) => (error) => {
  assert.ok(error instanceof GuestError, error);
  assert.equal(error.kind, kind);
  if (message !== undefined) assert.equal(error.message, message);
  return true;
};

test("the module imports the host's seven functions and nothing else", async () => {
  const imports = WebAssembly.Module.imports(await WebAssembly.compile(wasm));
  assert.deepEqual(new Set(imports.map(({ module }) => module)), new Set(["wasmsandbox_v1"]));
  const names = ["blob_len", "blob_new", "blob_read", "blob_write", "extension", "fail", "log"];
  assert.deepEqual(imports.map(({ name }) => name).sort(), names);
});

test("the description names the guest, its language and its handlers", async () => {
  const s = await open();
  const d = s.describe();
  assert.deepEqual([d.name, d.version], ["kitchen-sink", "1.0.0"]);
  assert.deepEqual([d.sdk, d.language, d.toolchain], ["assemblyscript", "assemblyscript", `asc ${version}`]);
  assert.deepEqual(d.handlers.map((h) => h.id), d.handlers.map((_, i) => i + 1));
  const store = d.handlers.find((h) => h.name === "store");
  assert.deepEqual(store.methods, [5, 6, 9, 10, 11]);
  assert.deepEqual(d.handlers.find((h) => h.name === "render").methods, []);
  assert.equal(d.handlers.filter((h) => h.name === "panic").length, 2);
});

test("bytes that are no UTF-8 come back as they were", async () => {
  const s = await open();
  const part = Buffer.from([0x67, 0xff, 0xe2, 0x82, 0xf0, 0x9f, 0x98, 0x80, 0xed, 0xa0, 0x80, 0xc3, 0xa9]);
  const { stdout } = s.respond("render", exec(part)).exec;
  assert.ok(stdout.includes(part), stdout.toString("latin1"));
  // Text has one U+FFFD for each run of such bytes.
  const verdict = s.match("only_git", exec(Buffer.from([0x61, 0xff, 0xfe, 0x62, 0x80])));
  assert.equal(verdict.differences[0].actual, "a\ufffdb\ufffd");
});

test("a store keeps what was written, also as a blob", async () => {
  const s = await open();
  const large = Buffer.alloc(200_000, "abc");
  s.respond("store", { write: { path: "b", data: large } });
  s.respond("store", { write: { path: "a", data: { content: "hello", position: 2 } } });
  assert.deepEqual(s.respond("store", { read: { path: "a" } }).stream.content.toString(), "llo");
  assert.ok(s.respond("store", { read: { path: "b" } }).stream.content.equals(large));
  const { listing } = s.respond("store", { ls: { path: "." } });
  assert.deepEqual(listing.map((e) => [e.path, e.size]), [["a", 3n], ["b", 200_000n]]);
  s.respond("store", { rm: { path: "a" } });
  const { error } = s.respond("store", { read: { path: "a" } });
  assert.deepEqual([error.code, error.context], ["workspace_read_not_found", { path: "a" }]);
});

test("content is read and written in pieces", async () => {
  const s = await open({ limits: { inlineBytes: 100 } });
  s.respond("checksum", { write: { path: "x", data: { content: Buffer.alloc(10_000, "a"), position: 7, text: true } } });
  assert.match(s.logs[0].text, /^size=10000 position=7 text=1 fnv=\d+$/);
  const { content } = s.respond("generate", { read: { path: "500" } }).stream;
  assert.equal(content.toString(), Array.from({ length: 500 }, (_, i) => `${i}\n`).join(""));
  assert.equal(s.respond("big", exec("101", "100", "-3")).exec.stdout.length, 101);
});

test("what the host doesn't take is a failure, and the guest lives on", async () => {
  const s = await open({ limits: { inlineBytes: 100, blobBytes: 1000, replyBytes: 2000 } });
  const limit = "blob_write: a limit of the host is reached";
  assert.throws(() => s.respond("big", exec("1001", "0", "0")), failsWith("handler_failed", limit));
  assert.throws(() => s.respond("generate", { read: { path: "1000" } }), failsWith("handler_failed"));
  assert.throws(() => s.respond("big", exec("x", "0", "0")), failsWith("handler_failed", "not a number: x"));
  assert.throws(() => s.respond("render", exec("x".repeat(50_000))), failsWith("handler_failed"));
  assert.equal(s.respond("count", exec()).exec.exitCode, 1);
});

test("a reply that is too long is for the host to refuse, and the guest lives on", async () => {
  const s = await open({ limits: { replyBytes: 1000 } });
  const message = "the reply has 1007 bytes, the host takes 1000";
  assert.throws(() => s.respond("big", exec("995", "0", "0")), failsWith("limit", message));
  assert.equal(s.respond("count", exec()).exec.exitCode, 1);
});

test("a sandbox error carries its context", async () => {
  const s = await open();
  const { error } = s.respond("raise", exec("exec_timeout", "op", "text", "no", "full"));
  assert.deepEqual([error.code, error.op, error.message, error.retryable], ["exec_timeout", "op", "text", 1]);
  assert.deepEqual(error.context, {
    bool: true,
    bytes: Buffer.from([0, 255]),
    int: -5n,
    list: [null, false, 7n, "x"],
    map: { a: { b: "c" } },
    max: 2n ** 63n - 1n,
    min: -(2n ** 63n),
    null: null,
    text: "é",
  });
  assert.throws(() => s.respond("broken", exec()), failsWith("handler_failed", "it's broken"));
  assert.throws(() => s.match("broken", exec()), failsWith("handler_failed", "it's broken"));
});

test("who asks wrongly is told what is wrong", async () => {
  const s = await open();
  const unsupported = "the responder raise doesn't serve read";
  assert.throws(() => s.respond("raise", { read: {} }), failsWith("unsupported_method", unsupported));
  assert.throws(() => s.sendRespond(0, Buffer.alloc(0)), failsWith("unknown_handler", "no responder has the id 0"));
  assert.throws(() => s.sendMatch(1, Buffer.alloc(0)), failsWith("unknown_handler", "no matcher has the id 1"));
  const truncated = Buffer.from([0x08]);
  const undecodable = "the call can't be decoded: truncated at byte 0";
  assert.throws(() => s.sendRespond(1, truncated), failsWith("bad_message", undecodable));
});

test("a configuration is rendered, checked, and refused", async () => {
  const s = await open({ config: { n: null, list: [1, true, "a", Buffer.from([171])], map: { x: -1 }, name: "é" } });
  const rendered = 'list=[1,true,"a",0xab]\nmap={x=-1}\nn=null\nname="é"\n';
  assert.equal(s.respond("config", exec()).exec.stdout.toString(), rendered);
  assert.equal(s.respond("setting", exec("name")).exec.stdout.toString(), "é");
  await assert.rejects(open({ config: { depth: 10 } }), failsWith("bad_config", "depth is at most 9"));
  const unopened = await Session.load(wasm);
  assert.throws(() => unopened.sendOpen(Buffer.from([0x22, 0x05])), failsWith("bad_message"));
});

test("a panic is reported with its place, and the guest is dead", async () => {
  for (const ask of ["respond", "match"]) {
    const s = await open();
    assert.throws(() => s[ask]("panic", exec()), (error) => {
      assert.ok(error instanceof GuestPanic, error);
      assert.equal(error.message, "deliberate panic");
      assert.match(error.file, /^kitchen\/(index|matchers)\.ts$/);
      assert.ok(error.line > 10);
      return true;
    });
    assert.throws(() => s.respond("count", exec()), GuestPanic);
  }
});

test("a message beyond the input buffer is refused, and one of a megabyte taken", async () => {
  const s = await open();
  assert.equal(s.respond("count", exec("x".repeat(1 << 20))).exec.exitCode, 1);
  assert.throws(() => s.respond("count", exec("x".repeat((64 << 20) + 1))), /doesn't take/);
  assert.equal(s.respond("count", exec()).exec.exitCode, 2);
});

test("a message that there is no memory for is refused, and the guest lives on", async () => {
  const small = await openSession(await compile("kitchen/index.ts", "minimal", ["--maximumMemory", "8"]));
  assert.throws(() => small.respond("count", exec("x".repeat(1 << 20))), /doesn't take/);
  assert.equal(small.respond("count", exec()).exec.exitCode, 1);
});
