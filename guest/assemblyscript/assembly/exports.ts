// What the host calls. A guest's entry file exports all of it:
//
//     export * from "wasmsandbox-assemblyscript/exports";

import { closeSession, describeGuest, matchCall, openSession, respondToCall } from "./dispatch";
import { InputBuffer } from "./input_buffer";

/** The minor version of the ABI that is needed. */
export function wasmsandbox_abi_v1(): u32 {
  return 0;
}

export function wasmsandbox_buffer(size: u32): usize {
  return InputBuffer.reserve(size);
}

export function wasmsandbox_describe(): u64 {
  return describeGuest();
}

export function wasmsandbox_open(len: u32): u64 {
  return openSession(len);
}

export function wasmsandbox_match(handler: u32, len: u32): u64 {
  return matchCall(handler, len);
}

export function wasmsandbox_respond(handler: u32, len: u32): u64 {
  return respondToCall(handler, len);
}

export function wasmsandbox_close(): u64 {
  return closeSession();
}
