// The start: the glue evaluates this file last, and calls what it exports.

import { Error } from "./primordials.js";
import { connect } from "./host.js";
import { install } from "./globals.js";
import { dispatch } from "./session.js";

let booted = false;

/** Takes the function that reaches the host, and gives the one that the host calls. */
export default function boot(proxy) {
  if (booted) throw new Error("the runtime is running already");
  booted = true;
  connect(proxy);
  install();
  return dispatch;
}
