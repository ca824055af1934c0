import { CallMessage } from "./abi/call_message";
import { Decoder } from "./abi/decoder";
import { Description, HandlerInfo, HandlerKind } from "./abi/description";
import { Encoder } from "./abi/encoder";
import { methodName } from "./abi/method";
import { OpenMessage } from "./abi/open_message";
import { Outcome, outcomeFieldOf } from "./abi/outcome";
import { GuestError, GuestErrorKind, Reply } from "./abi/reply";
import { Result } from "./abi/result";
import { Call } from "./call";
import { collectGarbage } from "./collector";
import { InputBuffer } from "./input_buffer";
import { Guest, SDK_VERSION } from "./lifecycle";
import { Open } from "./open";
import { Handler, Registry } from "./registry";
import { Session } from "./session";
import { Settings } from "./settings";

// What is kept between calls, so that a call allocates little.
const decoder = new Decoder();
const encoder = new Encoder(4096);
const message = new CallMessage();
const outcome = new Outcome();
const reply = new Reply();
let call = new Call(message, new Settings());

/** Writes the reply. That it is longer than the host takes is for the host to say. */
function answer(): u64 {
  encoder.reset();
  reply.encode(encoder);
  const failure = Session.failure; // content that couldn't be sent
  if (failure !== null && reply.error === null) return refuse(GuestErrorKind.HandlerFailed, failure);
  return (<u64>encoder.start << 32) | <u64>encoder.length;
}

/** The longest message of a guest error, so that the reply is short whatever a handler says. */
const MAX_MESSAGE = 4096;

function refuse(kind: GuestErrorKind, text: string): u64 {
  reply.clear();
  reply.error = new GuestError(kind, text.length > MAX_MESSAGE ? text.substring(0, MAX_MESSAGE) + "…" : text);
  return answer();
}

function done(): u64 {
  reply.done = true;
  return answer();
}

function toolchain(): string {
  const minor = ASC_VERSION_MINOR.toString() + "." + ASC_VERSION_PATCH.toString();
  return "asc " + ASC_VERSION_MAJOR.toString() + "." + minor;
}

/** Comes first in each export. */
function start(): void {
  collectGarbage();
  Registry.frozen = true;
  Session.begin();
  reply.clear();
}

export function describeGuest(): u64 {
  start();
  const description = new Description();
  description.name = Guest.name;
  description.version = Guest.version;
  description.sdk = "assemblyscript";
  description.sdkVersion = SDK_VERSION;
  description.language = "assemblyscript";
  description.toolchain = toolchain();
  description.configSchema = Guest.schema;
  for (let i = 0, n = Registry.handlers.length; i < n; i++) {
    const handler = Registry.handlers[i];
    const info = new HandlerInfo();
    info.id = i + 1;
    info.name = handler.name;
    info.kind = handler.kind;
    info.methods = handler.methods();
    description.handlers.push(info);
  }
  reply.description = description;
  return answer();
}

export function openSession(len: usize): u64 {
  start();
  const opening = new OpenMessage();
  decoder.reset(InputBuffer.start, min(len, InputBuffer.size)); // a longer one is truncated
  opening.decode(decoder);
  if (decoder.reason != 0) {
    return refuse(GuestErrorKind.BadMessage, "the open message can't be decoded: " + decoder.problem);
  }
  const config = new Settings(opening.config);
  call = new Call(message, config);
  Session.inlineBytes = opening.limits.inlineBytes;
  Session.seed = opening.seed;
  const open = new Open(config, opening.seed, opening.startTimeNs, opening.limits);
  for (let i = 0, n = Guest.onOpen.length; i < n; i++) {
    const problem = Guest.onOpen[i](open);
    if (problem !== null) return refuse(GuestErrorKind.BadConfig, problem);
    const misconfigured = Session.misconfigured;
    if (misconfigured !== null) return refuse(GuestErrorKind.BadConfig, misconfigured);
  }
  return done();
}

export function closeSession(): u64 {
  start();
  for (let i = Guest.onClose.length - 1; i >= 0; i--) {
    const problem = Guest.onClose[i]();
    if (problem !== null) return refuse(GuestErrorKind.HandlerFailed, problem);
  }
  return done();
}

export function matchCall(id: u32, len: usize): u64 {
  start();
  const handler = Registry.find(HandlerKind.Match, id);
  const refused = prepare(handler, "matcher", id, len);
  if (refused != 0) return refused;
  const verdict = handler!.match!(call);
  const misconfigured = Session.misconfigured;
  if (misconfigured !== null) return refuse(GuestErrorKind.BadConfig, misconfigured);
  const failure = verdict.failure;
  if (failure !== null) return refuse(GuestErrorKind.HandlerFailed, failure);
  reply.verdict = verdict;
  return answer();
}

export function respondToCall(id: u32, len: usize): u64 {
  start();
  const handler = Registry.find(HandlerKind.Respond, id);
  const refused = prepare(handler, "responder", id, len);
  if (refused != 0) return refused;
  const result = handler!.responders[message.request!.method]!.respond(call);
  const misconfigured = Session.misconfigured;
  if (misconfigured !== null) return refuse(GuestErrorKind.BadConfig, misconfigured);
  const problem = problemOf(result);
  if (problem !== null) return refuse(GuestErrorKind.HandlerFailed, problem);
  outcome.result = result;
  outcome.error = result.error;
  reply.outcome = outcome;
  return answer();
}

/** Reads the call for a handler. Answers with 0, or with the reply when it can't be called. */
function prepare(handler: Handler | null, kind: string, id: u32, len: usize): u64 {
  if (handler === null) {
    return refuse(GuestErrorKind.UnknownHandler, "no " + kind + " has the id " + id.toString());
  }
  decoder.reset(InputBuffer.start, min(len, InputBuffer.size)); // a longer one is truncated
  message.decode(decoder);
  if (decoder.reason != 0) {
    return refuse(GuestErrorKind.BadMessage, "the call can't be decoded: " + decoder.problem);
  }
  const method = message.request!.method;
  if (handler.serves(method)) return 0;
  return refuse(GuestErrorKind.UnsupportedMethod, handler.title + " doesn't serve " + methodName(method));
}

/** Why the result is no answer, or null. */
function problemOf(result: Result): string | null {
  if (result.failure !== null) return result.failure;
  const error = result.error;
  if (error !== null) return error.defect;
  const method = message.request!.method;
  if (result.outcomeField == outcomeFieldOf(method)) return null;
  return "the handler returned a result that isn't one of " + methodName(method);
}
