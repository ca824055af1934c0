import { Decoder } from "./decoder";
import { Encoder } from "./encoder";
import { SandboxError } from "./sandbox_error";

/** What a responder returns: the result of a method, or why there is none. */
export abstract class Result {
  /** The error that the session's caller gets instead, or null. */
  error: SandboxError | null = null;
  /** Why the guest has no answer at all, or null. */
  failure: string | null = null;

  /** Its number in Outcome, which says what methods it fits. */
  abstract get outcomeField(): u32;
  /** Writes the fields; the field around them is the caller's. */
  abstract encode(e: Encoder): void;
  /** Reads the message on top of what is there. */
  abstract decode(d: Decoder): void;
}

/** Answers with a sandbox error, as if a real sandbox had raised it: `return raise<Stream>(e)`. */
export function raise<T extends Result>(error: SandboxError): T {
  const result = instantiate<T>();
  result.error = error;
  return result;
}

/** Says that the guest has no answer, which is reported as its failure: `return fail<Stream>("…")`. */
export function fail<T extends Result>(reason: string): T {
  const result = instantiate<T>();
  result.failure = reason;
  return result;
}
