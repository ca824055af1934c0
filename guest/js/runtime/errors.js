// Errors: those that a session's caller gets, those that say that a guest can't
// answer, and the end of the guest.

import { Error, Number, String, find, isA, linesOf, nothing, slice, startsWith } from "./primordials.js";
import { addressOf, fail } from "./host.js";
import { message } from "./schema.js";
import { encoded } from "./codec.js";

/** An error that the session's caller gets, as if a real sandbox had raised it. */
export class SandboxError extends Error {
  name = "SandboxError";

  /**
   * The code is one of the sandbox's, such as "exec_timeout". Without a message or
   * op the caller gets the code's own.
   */
  constructor(code, { message: text = "", op = "", context = {}, retryable } = nothing) {
    super(text);
    this.code = code;
    this.op = op;
    this.context = context;
    this.retryable = retryable;
  }
}

/** Kinds of guest errors. */
export const HANDLER_FAILED = 1;
export const UNKNOWN_HANDLER = 2;
export const BAD_MESSAGE = 3;
export const BAD_CONFIG = 4;
export const UNSUPPORTED_METHOD = 5;

/** A guest error of a kind other than HANDLER_FAILED. */
export class GuestError extends Error {
  constructor(kind, text) {
    super(text);
    this.kind = kind;
  }
}

/** What a thrown value says. */
export function messageOf(thrown) {
  try {
    return isA(thrown, Error) ? String(thrown.message ?? "") || nameOf(thrown) : String(thrown);
  } catch {
    return "an error that has no text";
  }
}

/** The name of a file as the author gave it: a leading slash keeps ".." from being resolved. */
export const shown = (name) => (startsWith(name, "/.") ? slice(name, 1) : name);

/** The author's frames of an error's stack: without those of the runtime and of the interpreter. */
export function stackOf(thrown) {
  const lines = linesOf(textOfStack(thrown));
  let stack = "";
  for (let i = 0; i < lines.length; i++) {
    if (lines[i] === "" || find(/\((native|<)|[( ]wasmsandbox[/:)]/, lines[i])) continue;
    const slash = find(/[( ]\/\./, lines[i]);
    const line = slash ? slice(lines[i], 0, slash.index + 1) + slice(lines[i], slash.index + 2) : lines[i];
    stack += stack === "" ? line : "\n" + line;
  }
  return stack;
}

function textOfStack(thrown) {
  try {
    return isA(thrown, Error) ? String(thrown.stack ?? "") : "";
  } catch {
    return ""; // it isn't a text
  }
}

/** The name of an error, which may be anything. */
export function nameOf(error) {
  try {
    return "" + (error.name ?? "Error");
  } catch {
    return "Error";
  }
}

/** Where a stack begins: file, line and column. */
export function placeOf(stack) {
  const found = find(/(?:\(| at )([^()]+?):(\d+)(?::(\d+))?\)?$/m, stack);
  return found ? { file: found[1], line: Number(found[2]), column: Number(found[3] ?? 0) } : { file: "", line: 0, column: 0 };
}

/** Tells the host that the guest is at its end. */
export function reportPanic(text, stack, place = placeOf(stack)) {
  const encoder = encoded(message("Panic"), {
    message: text, file: place.file, line: place.line, stack,
  });
  fail(addressOf(encoder.bytes), encoder.at);
}

/** Ends the guest: the call fails, and so do all later ones of the session. */
export function panic(text) {
  const error = new Error(String(text));
  reportPanic(error.message, stackOf(error));
  throw error;
}
