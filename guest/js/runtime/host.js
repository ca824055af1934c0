// The host's functions, and those of the interpreter that JavaScript lacks. This
// is the only file that knows how they are reached. The module operations.js has
// their numbers; it is made together with the glue.

import * as op from "./operations.js";
import { ArrayBuffer, Error, Function, Uint32Array, Uint8Array, bufferOf, lengthOf, offsetOf } from "./primordials.js";

let inner = () => { throw new Error("the host isn't connected"); };

/** What goes before the operation is for the interpreter's own use. */
const call = (operation, a, b, c, d) => inner(0, 0, 0, undefined, operation, a, b, c, d);

let reply; // length and address of a reply, as the host reads them

/** Takes the function through which all of this goes. */
export function connect(proxy) {
  inner = unwrapped(proxy);
  const place = new Region(8);
  reply = new Uint32Array(place.buffer);
  call(op.REPLY, place.address);
}

/**
 * The function that the interpreter's proxy calls, with Function.prototype.call and by
 * spreading what it got: a program can change both.
 */
function unwrapped(proxy) {
  const { prototype } = Function;
  const { call: own } = prototype;
  let found;
  prototype.call = function () { found = this; };
  proxy();
  prototype.call = own;
  return found;
}

/** Bytes with a known place in the guest's memory. */
export class Region {
  constructor(size) {
    this.size = size;
    this.buffer = new ArrayBuffer(size);
    this.bytes = new Uint8Array(this.buffer);
    this.address = call(op.ADDRESS, this.buffer);
  }
}

/** Where the bytes of an array are. */
export function addressOf(bytes) {
  return lengthOf(bytes) === 0 ? 0 : call(op.ADDRESS, bufferOf(bytes)) + offsetOf(bytes);
}

/** Leaves a number of 64 bits, in two halves, for the host. */
export function answer(high, low) {
  reply[0] = low;
  reply[1] = high;
}

export const log = (level, address, length) => call(op.LOG, level, address, length);
export const fail = (address, length) => call(op.FAIL, address, length);
export const blobLen = (handle) => call(op.BLOB_LEN, handle);
export const blobRead = (handle, offset, address, length) => call(op.BLOB_READ, handle, offset, address, length);
export const blobNew = () => call(op.BLOB_NEW);
export const blobWrite = (handle, address, length) => call(op.BLOB_WRITE, handle, address, length);
export const extension = (number, address, length) => call(op.EXTENSION, number, address, length);

/** Fills memory with bytes that follow from the session's seed. */
export const random = (address, length) => call(op.RANDOM, address, length);

/** The text of UTF-8 that ends with a NUL. */
export const decode = (address) => call(op.DECODE, address);

/** Writes a text without NUL as UTF-8, and gives its length in bytes. */
export const encode = (text, address) => call(op.ENCODE, text, address);

/** Compiles a module, source and name ending with a NUL, so that it can be imported. */
export const compile = (source, name) => call(op.COMPILE, source, name);

/** Runs the jobs of promises until there are none. */
export const runJobs = () => call(op.JOBS);

/** Reads from standard input; an iovec says where to, and a second place takes the length. */
export const readInput = (iovec, length) => call(op.STDIN, iovec, length);

/** The length of the program that a bundle has in it, or 0. */
export const programLength = () => call(op.PROGRAM_LEN);

/** Copies that program to a place. */
export const copyProgram = (address) => call(op.PROGRAM_COPY, address);
