import assert from "node:assert/strict";
import test from "node:test";
import { openSession } from "../testing/session.js";
import { compile } from "./compile.js";

/** exec("git", "status") as the first call. */
const CALL = Buffer.from("220d0a036769740a06737461747573", "hex");
const exec = (...command) => ({ exec: { command } });

for (const runtime of ["minimal", "incremental"]) {
  test(`100 000 calls need no more memory than 10 000, with the ${runtime} runtime`, async () => {
    const s = await openSession(await compile("kitchen/index.ts", runtime));
    const id = (name) => s.describe().handlers.find((h) => h.name === name).id;
    const [results, onlyGit] = [id("results"), id("only_git")];
    const run = (calls) => {
      for (let i = 0; i < calls; i += 2) {
        s.sendRespond(results, CALL);
        s.sendMatch(onlyGit, CALL);
      }
    };
    run(10_000);
    const before = s.memoryBytes;
    run(90_000);
    assert.equal(s.memoryBytes, before);
    assert.ok(before <= 1 << 20, `${before} bytes`);
  });

  test(`state that is replaced is freed, with the ${runtime} runtime`, async () => {
    const s = await openSession(await compile("kitchen/index.ts", runtime));
    const data = Buffer.alloc(1 << 20, "x");
    for (let i = 0; i < 100; i++) s.respond("store", { write: { path: "x", data } });
    assert.ok(s.memoryBytes <= 64 << 20, `${s.memoryBytes} bytes`);
    assert.equal(s.respond("store", { read: { path: "x" } }).stream.content.length, data.length);
  });

  test(`handlers that leave much behind don't fill the memory, with the ${runtime} runtime`, async () => {
    const s = await openSession(await compile("test/fixtures/edges.ts", runtime));
    for (let i = 0; i < 300; i++) s.respond("garbage", exec(String(1 << 20)));
    assert.ok(s.memoryBytes <= 64 << 20, `${s.memoryBytes} bytes`);
  });
}
