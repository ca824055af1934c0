import assert from "node:assert/strict";
import test from "node:test";
import { GuestError, GuestPanic, openSession } from "../testing/session.js";
import { compile } from "./compile.js";

const wasm = await compile("test/fixtures/edges.ts");
const open = (options) => openSession(wasm, options);
const exec = (...command) => ({ exec: { command } });
const failsWith = (kind, message) => (error) => {
  assert.ok(error instanceof GuestError, error);
  assert.deepEqual([error.kind, error.message], [kind, message]);
  return true;
};

test("settings have the types that are asked for, or their defaults", async () => {
  const s = await open({ config: { nested: { n: 5, b: false }, texts: ["a", "b"], name: "x" } });
  assert.equal(s.respond("settings", exec()).exec.stdout.toString(), "a,b 5 false x");
  assert.equal((await open()).respond("settings", exec()).exec.stdout.toString(), "none 1 true nobody");
});

test("a setting of another type ends the call", async () => {
  await assert.rejects(open({ config: { eager: "x" } }), failsWith("bad_config", "config: eager must be an integer"));
  const s = await open({ config: { nested: { n: "five" }, name: "x" } });
  assert.throws(() => s.respond("settings", exec()), failsWith("bad_config", "config: nested.n must be an integer"));
  assert.throws(() => s.match("settings", exec()), failsWith("bad_config", "config: name must be true or false"));
  const list = await open({ config: { texts: ["a", 1] } });
  const mixed = "config: texts must be a list of texts";
  assert.throws(() => list.respond("settings", exec()), failsWith("bad_config", mixed));
});

test("results that can't be sent are failures", async () => {
  const s = await open();
  const other = "the handler returned a result that isn't one of exec";
  assert.throws(() => s.respond("wrong", exec()), failsWith("handler_failed", other));
  assert.equal(s.respond("wrong", { applyPatch: {} }).text, "of another method");
  const codeless = "the handler returned a sandbox error without a code";
  assert.throws(() => s.respond("no_code", exec()), failsWith("handler_failed", codeless));
  assert.equal(s.respond("nest", exec("64")).error.code, "deep");
  const deep = "the context of a sandbox error nests more than 64 deep";
  assert.throws(() => s.respond("nest", exec("65")), failsWith("handler_failed", deep));
});

test("contexts are in the order of their keys' bytes, without duplicates, and well-formed", async () => {
  const { context } = (await open()).respond("order", exec()).error;
  assert.deepEqual(Object.entries(context), [
    ["a", 4n],
    ["m", { a: 2n, b: 3n }],
    ["\ufffd", "a\ufffdb"],
    ["\uffff", 2n],
    ["\u{10000}", 1n],
  ]);
});

test("content that was kept belongs to its call", async () => {
  const s = await open();
  s.respond("keep", { write: { path: "x", data: "hello" } });
  const expired = failsWith("handler_failed", "the content belongs to a call that has ended");
  assert.throws(() => s.respond("kept", { read: {} }), expired);
  assert.throws(() => s.respond("kept", exec()), expired);
  assert.equal(s.respond("writer", exec()).exec.stdout.toString(), "x");
  const ended = "the writer belongs to a call that has ended";
  assert.throws(() => s.respond("writer", exec()), failsWith("handler_failed", ended));
});

test("a reader starts at the stream's position", async () => {
  for (const inlineBytes of [1, 1000]) {
    const s = await open({ limits: { inlineBytes } });
    const { error } = s.respond("tail", { write: { path: "x", data: { content: "0123456789", position: 2 } } });
    assert.deepEqual(error.context, { pieces: "23456789", text: "123456789" });
    const past = s.respond("tail", { write: { path: "x", data: { content: "01", position: 9 } } });
    assert.deepEqual(past.error.context, { pieces: "", text: "1" });
  }
});

test("a writer joins pieces of any length", async () => {
  const number = "-9223372036854775808\n\0\0";
  for (const inlineBytes of [1, 10, 26, 100_000]) {
    const s = await open({ limits: { inlineBytes } });
    const parts = ["", "abc", "é😀", "y".repeat(50), "z"];
    assert.equal(s.respond("pieces", exec(...parts)).exec.stdout.toString(), parts.join("") + number);
  }
});

test("an index out of range is a panic", async () => {
  const s = await open();
  assert.throws(() => s.respond("index", exec("a")), (error) => {
    assert.ok(error instanceof GuestPanic, error);
    assert.match(error.message, /Index out of range/);
    return true;
  });
});

test("random numbers follow from the seed", async () => {
  const draw = async (seed) => (await open({ seed })).respond("random", exec()).exec.stdout.toString();
  assert.equal(await draw(0), await draw(0));
  assert.equal(await draw(7), await draw(7));
  assert.notEqual(await draw(7), await draw(8));
});

test("closing tells what went wrong", async () => {
  const s = await open();
  assert.throws(() => s.close(), failsWith("handler_failed", "nothing was saved"));
});

test("a handler that is registered twice is reported", async () => {
  const twice = await compile("test/fixtures/twice.ts");
  await assert.rejects(openSession(twice), (error) => {
    assert.ok(error instanceof GuestPanic, error);
    assert.equal(error.message, "the matcher same is registered twice");
    return true;
  });
});
