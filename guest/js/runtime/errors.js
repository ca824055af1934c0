// Errors: those that a session's caller gets, those that say that a guest can't
// answer, and the end of the guest.

import { addressOf, fail } from "./host.js";
import { message } from "./schema.js";
import { encoded } from "./codec.js";

/** An error that the session's caller gets, as if a real sandbox had raised it. */
export class SandboxError extends Error {
  /**
   * The code is one of the sandbox's, such as "exec_timeout". Without a message or
   * op the caller gets the code's own.
   */
  constructor(code, { message: text = "", op = "", context = {}, retryable } = {}) {
    super(text);
    this.name = "SandboxError";
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
  if (thrown instanceof Error) return String(thrown.message) || thrown.name;
  try {
    return String(thrown);
  } catch {
    return "an error that has no text";
  }
}

/** The name of a file as the author gave it: a leading slash keeps ".." from being resolved. */
export const shown = (name) => name.replace(/^\/(?=\.)/, "");

/** The author's frames of an error's stack: without those of the runtime and of the interpreter. */
export function stackOf(thrown) {
  const lines = thrown instanceof Error ? String(thrown.stack ?? "").split("\n") : [];
  return lines
    .filter((line) => line !== "" && !/\((native|<)|[( ]wasmsandbox[/:)]/.test(line))
    .map((line) => line.replace(/([( ])\/(?=\.)/, "$1"))
    .join("\n");
}

/** Where a stack begins: file, line and column. */
export function placeOf(stack) {
  const found = /(?:\(| at )([^()]+?):(\d+)(?::(\d+))?\)?$/m.exec(stack);
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
