import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { compile } from "./compile.js";

const MESSAGES = ["Call", "Open", "Panic", "Reply"];
const vectorsUrl = new URL("../../../testdata/abi/v1/", import.meta.url);

function load(kind) {
  const folder = new URL(`${kind}/`, vectorsUrl);
  const vectors = readdirSync(folder).filter((name) => name.endsWith(".txt")).map((name) => {
    const header = {};
    let hex = "";
    for (const line of readFileSync(new URL(name, folder), "utf8").split("\n")) {
      const pair = /^# (\w+): (.*)$/.exec(line);
      if (pair) header[pair[1]] = pair[2];
      else hex += line;
    }
    return { name, header, data: Buffer.from(hex.replace(/\s/g, ""), "hex") };
  });
  assert.ok(vectors.length > 50, `${kind}: only ${vectors.length} vectors`);
  return vectors;
}

const { instance } = await WebAssembly.instantiate(await compile("test/fixtures/codec.ts"), {
  wasmsandbox_v1: new Proxy({}, { get: (_, name) => () => assert.fail(`${String(name)} was called`) }),
});
const codec = instance.exports;
codec._initialize();

function bytesAt(place) {
  const packed = BigInt.asUintN(64, place);
  return Buffer.from(Buffer.from(codec.memory.buffer, Number(packed >> 32n), Number(packed & 0xffffffffn)));
}

function roundTrip({ header, data }) {
  const kind = MESSAGES.indexOf(header.message);
  assert.notEqual(kind, -1, header.message);
  const ptr = codec.buffer(data.length);
  Buffer.from(codec.memory.buffer).set(data, ptr);
  const encoded = bytesAt(codec.roundTrip(kind, data.length));
  return { encoded, reason: bytesAt(codec.reason()).toString() };
}

test("valid messages are decoded and encoded again", async (t) => {
  for (const vector of load("valid")) {
    await t.test(vector.name, () => {
      const { encoded, reason } = roundTrip(vector);
      assert.equal(reason, "");
      assert.equal(encoded.toString("hex"), vector.header.canonical ?? vector.data.toString("hex"));
    });
  }
});

test("malformed messages are refused for the reason that they are malformed for", async (t) => {
  for (const vector of load("malformed")) {
    await t.test(vector.name, () => assert.equal(roundTrip(vector).reason, vector.header.reason));
  }
});

test("a message with too many embedded messages is refused", () => {
  const operations = 262144; // in the request, which is one more
  const body = Buffer.alloc(operations * 2, Buffer.from([0x0a, 0x00]));
  const length = [];
  for (let n = body.length; ; n >>= 7) {
    length.push(n < 0x80 ? n : (n & 0x7f) | 0x80);
    if (n < 0x80) break;
  }
  const call = Buffer.concat([Buffer.from([0x1a, ...length]), body]);
  assert.equal(roundTrip({ header: { message: "Call" }, data: call }).reason, "too_many");
});

test("every cut of a valid message is taken or refused, and never traps", () => {
  for (const { name, header, data } of load("valid")) {
    for (let n = 0; n < Math.min(data.length, 400); n++) {
      assert.doesNotThrow(() => roundTrip({ header, data: data.subarray(0, n) }), `${name} cut to ${n}`);
    }
  }
});
