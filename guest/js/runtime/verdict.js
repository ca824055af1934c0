// Verdicts: what a matcher answers.

import { String, TypeError, isA } from "./primordials.js";
import { typeName } from "./text.js";

const NONE = 0;
const ACCEPT = 1;
const REJECT = 2;

class Verdict {
  constructor(answer, reason = "", differences = []) {
    this.answer = answer;
    this.reason = reason;
    this.differences = differences;
  }

  /** Adds a difference: what was expected of a field such as "args[0]", and what it is. */
  differ(field, expected = "", actual = "") {
    this.differences[this.differences.length] = { field: String(field), expected: String(expected), actual: String(actual) };
    return this;
  }
}

/** The call is the expected one. */
export const accept = () => new Verdict(ACCEPT);

/** The call isn't the expected one. The reason is for people. */
export const reject = (reason = "") => new Verdict(REJECT, String(reason));

/** The verdict that a matcher's result is: true and false are short for accept and reject. */
export function toVerdict(result) {
  if (isA(result, Verdict)) return result;
  if (result === undefined) return new Verdict(NONE);
  if (typeof result === "boolean") return new Verdict(result ? ACCEPT : REJECT);
  throw new TypeError("a matcher answers with accept() or reject(reason), not " + typeName(result));
}
