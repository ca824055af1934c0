// The functions that later versions of the ABI add.

import { lengthOf } from "./primordials.js";
import { addressOf, extension as call } from "./host.js";
import { toBytes } from "./text.js";

/** Calls an extension by its number; a negative answer is a status, such as -6 for one that isn't known. */
export function extension(op, data = "") {
  const bytes = toBytes(data, "the argument of an extension");
  return call(op, addressOf(bytes), lengthOf(bytes));
}
