// What the host calls: one function, which gets an event with two numbers.

import { Error, Map, Number, Promise, each, find, interpreter, isA, keys, lastIndexOf, slice } from "./primordials.js";
import { Region, answer } from "./host.js";
import { message } from "./schema.js";
import { decodeMessage, encodeMessage } from "./codec.js";
import { DecodeError, Encoder } from "./wire.js";
import {
  BAD_CONFIG, BAD_MESSAGE, GuestError, HANDLER_FAILED, SandboxError, UNKNOWN_HANDLER, UNSUPPORTED_METHOD,
  messageOf, nameOf, reportPanic, stackOf,
} from "./errors.js";
import { beginCall, limits } from "./content.js";
import { toVerdict } from "./verdict.js";
import { Call, Config } from "./request.js";
import { methodsByField, toFailure } from "./result.js";
import { fromEntries } from "./values.js";
import { MATCH, RESPOND, closeRegistry, described, handlerOf, hooks, identity } from "./registry.js";
import { ProgramError, evaluate, settle } from "./program.js";
import { logError } from "./log.js";
import * as event from "./events.js";

const SDK_VERSION = "0.1.0";
const MAX_MESSAGE = 64 << 20; // bytes

const callMessage = message("Call");
const openMessage = message("Open");
const replyMessage = message("Reply");

const session = { config: new Config(new Map()), seed: 0, startTimeNs: 0, limits };
let encoder; // of replies
let input; // where the host puts messages
let program = ""; // the file's name

function load() {
  encoder = new Encoder();
  input = new Region(1);
  try {
    program = evaluate();
  } catch (error) {
    if (isA(error, ProgramError)) reportPanic(error.message, error.trace, error.place);
    else reportPanic(messageOf(error), stackOf(error));
  }
  closeRegistry();
}

/** Gives the input buffer, with one byte more than the host asked for, or 0. */
function makeBuffer(size) {
  answer(0, 0);
  if (size > MAX_MESSAGE) return;
  try {
    input = new Region(size + 1);
    answer(0, input.address);
  } catch {
    input = new Region(1); // there is no memory for it
  }
}

function decode(m, length) {
  try {
    return decodeMessage(m, input, length);
  } catch (error) {
    if (isA(error, DecodeError)) throw new GuestError(BAD_MESSAGE, error.message);
    throw error;
  }
}

function describe() {
  return {
    kind: "description",
    description: {
      ...identity,
      name: identity.name || plainName(),
      sdk: "javascript", sdkVersion: SDK_VERSION, language: "javascript", toolchain: interpreter,
      handlers: described(),
    },
  };
}

/** The name of the program's file, without folder and extension. */
function plainName() {
  const name = slice(program, lastIndexOf(program, "/") + 1);
  const extension = find(/\.[cm]?js$/, name);
  return extension ? slice(name, 0, extension.index) : name;
}

function open(length) {
  const o = decode(openMessage, length);
  session.config = new Config(fromEntries(o.config));
  session.seed = o.seed;
  session.startTimeNs = o.startTimeNs;
  each(keys(limits), (name) => { limits[name] = Number(o.limits?.[name] ?? 0) || limits[name]; });
  try {
    each(hooks.open, (run) => finish(run(session), "onOpen"));
  } catch (error) {
    tellStack(error);
    throw new GuestError(BAD_CONFIG, messageOf(error));
  }
  return { kind: "done", done: {} };
}

function close() {
  each(hooks.close, (run) => finish(run(session), "onClose"));
  return { kind: "done", done: {} };
}

/** The result of a handler; that of a promise, if it needs nothing but other promises. */
function finish(result, name) {
  if (typeof result !== "object" && typeof result !== "function" || result === null) return result;
  if (typeof result.then !== "function" && !isA(result, Promise)) return result;
  const outcome = settle(result);
  if (outcome === undefined) throw new Error(name + ": the promise isn't settled when all other work is done; nothing can settle it");
  if (outcome.failed) throw outcome.value;
  return outcome.value;
}

/** Finds the handler and runs it with the call. */
function run(kind, id, length) {
  const handler = handlerOf(id);
  if (handler?.kind !== kind) throw new GuestError(UNKNOWN_HANDLER, "no " + (kind === MATCH ? "matcher" : "responder") + " has the id " + id);
  const decoded = decode(callMessage, length);
  const method = methodsByField[decoded.request];
  const f = handler.all ?? handler.methods[method.number];
  if (f === undefined) throw new GuestError(UNSUPPORTED_METHOD, handler.name + " doesn't serve " + method.name);
  beginCall();
  const call = new Call(decoded, method, session);
  return { method, result: finish(f(call, call.request), handler.name) };
}

function match(length, id) {
  return { kind: "verdict", verdict: toVerdict(run(MATCH, id, length).result) };
}

function respond(length, id) {
  try {
    const { method, result } = run(RESPOND, id, length);
    return { kind: "outcome", outcome: method.toOutcome(result, method.name) };
  } catch (error) {
    if (!isA(error, SandboxError)) throw error;
    return { kind: "outcome", outcome: toFailure(error) };
  }
}

/** The stack of an author's error goes into the record: the message stays as it is. */
function tellStack(error) {
  const stack = stackOf(error);
  if (stack !== "" && !isA(error, GuestError)) logError(nameOf(error) + ": " + messageOf(error) + "\n" + stack);
}

function failure(error) {
  tellStack(error);
  const kind = isA(error, GuestError) ? error.kind : HANDLER_FAILED;
  return { kind: "error", error: { kind, message: messageOf(error) } };
}

/** Leaves a reply for the host, which says so if it is longer than it takes. */
function send(reply) {
  encoder.at = 0;
  encodeMessage(replyMessage, reply, encoder);
  answer(encoder.region.address, encoder.at);
}

const replies = {
  [event.DESCRIBE]: describe, [event.OPEN]: open, [event.MATCH]: match, [event.RESPOND]: respond, [event.CLOSE]: close,
};

/** Takes an event. Answers 0, with the reply left for the host. */
export function dispatch(number, first, second) {
  if (number === event.LOAD) {
    load();
    return 0;
  }
  if (number === event.BUFFER) {
    makeBuffer(first >>> 0);
    return 0;
  }
  try {
    send(replies[number](first >>> 0, second >>> 0));
  } catch (error) {
    send(failure(error));
  }
  return 0;
}
