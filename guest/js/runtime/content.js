// Content of files and outputs: inline in a message, or with the host as a blob.

import {
  ArrayBuffer, Error, Number, RangeError, TypeError, Uint8Array, copyOf, isA, isBytes, isInteger, lengthOf, max, min, part,
  setBytes, trunc,
} from "./primordials.js";
import { Region, addressOf, blobLen, blobNew, blobRead, blobWrite } from "./host.js";
import { decodeLossy, encodeAt, roomFor, toBytes, typeName } from "./text.js";

const none = new Uint8Array(0);

const PIECE = 65536; // bytes that are read at once

/** The session's limits, in bytes. */
export const limits = { inlineBytes: 65536, replyBytes: 16777216, logBytes: 1048576, blobBytes: 268435456 };

let call = 0; // counts calls, to know content of earlier ones

/** From here on content with the host that was given before is gone. */
export const beginCall = () => void call++;

const statuses = {
  __proto__: null,
  "-1": "a bad pointer", "-2": "the blob doesn't exist", "-3": "a bad argument", "-4": "a limit of the host is reached",
};

/** What a host function answers, if it isn't an error. */
export function checked(answer) {
  if (answer < 0) throw new Error("the host answers: " + (statuses[answer] ?? answer));
  return answer;
}

function hex(bytes) {
  const digits = "0123456789abcdef";
  let text = "";
  for (let i = 0; i < lengthOf(bytes); i++) text += digits[bytes[i] >> 4] + digits[bytes[i] & 15];
  return text;
}

/** Bytes of a file or of an output. Those over the inline limit stay with the host until they are read. */
export class Content {
  #inline;
  #blob;
  #call = call;

  constructor(source) {
    if (isBytes(source)) this.#inline = source;
    else this.#blob = source;
  }

  /** The length in bytes. */
  get size() {
    return this.#size();
  }

  #size() {
    return this.#inline ? lengthOf(this.#inline) : Number(this.#blob.size);
  }

  /** The SHA-256 in hexadecimal, of content that the host keeps; undefined for other content. */
  get sha256() {
    return this.#inline || lengthOf(this.#blob.sha256) === 0 ? undefined : hex(this.#blob.sha256);
  }

  /** A copy of up to length bytes from an offset on; fewer at the end. */
  read(offset = 0, length = this.#size() - offset) {
    return this.#read(offset, length);
  }

  #read(offset, length) {
    offset = Number(offset); // a position may be a BigInt, beyond all that can be read
    if (!isInteger(offset) || offset < 0) throw new RangeError("the offset must be an integer from 0 on");
    length = max(0, min(trunc(Number(length)) || 0, this.#size() - offset));
    if (this.#inline) return length === 0 ? new Uint8Array(0) : copyOf(this.#inline, offset, offset + length);
    this.#check();
    const bytes = new Uint8Array(length);
    const address = addressOf(bytes);
    for (let at = 0; at < length;) {
      const got = checked(blobRead(this.#blob.handle, offset + at, address + at, min(PIECE, length - at)));
      if (got === 0) return copyOf(bytes, 0, at);
      at += got;
    }
    return bytes;
  }

  /** A copy of all bytes. */
  bytes() {
    return this.#read(0, this.#size());
  }

  /** All of it as text, with U+FFFD for what isn't UTF-8. */
  text() {
    return decodeLossy(this.#read(0, this.#size()));
  }

  /** What the host answers for the blob's length, or undefined for inline content. */
  get hostSize() {
    return this.#blob && blobLen(this.#blob.handle);
  }

  /** The message that refers to it. */
  encode() {
    if (this.#inline) return fromBytes(this.#inline);
    this.#check();
    return { source: "blob", blob: this.#blob };
  }

  #check() {
    if (this.#call !== call) throw new Error("this content belongs to a call that has ended; keep a copy of its bytes()");
  }
}

/** The Content of a decoded message. */
export const fromContent = (c) => new Content(c?.source === "blob" ? c.blob : c?.inline ?? none);

/** Output that is made in pieces. No more than the inline limit of it is held here. */
export class Writer {
  #buffer = new Region(1024);
  #buffered = 0;
  #written = 0;
  #handle;
  #call = call;

  /** The length so far, in bytes. */
  get size() {
    return this.#written + this.#buffered;
  }

  /** Appends a string or bytes. */
  write(data) {
    this.#check();
    if (typeof data === "string" && roomFor(data) <= limits.inlineBytes) {
      this.#makeRoom(roomFor(data));
      this.#buffered = encodeAt(data, this.#buffer, this.#buffered);
      return;
    }
    const bytes = toBytes(data, "what is written");
    const size = lengthOf(bytes);
    if (size > limits.inlineBytes) {
      this.#flush();
      this.#send(addressOf(bytes), size);
      return;
    }
    this.#makeRoom(size);
    setBytes(this.#buffer.bytes, bytes, this.#buffered);
    this.#buffered += size;
  }

  /** Makes room in the buffer, which is sent before it would be above the inline limit. */
  #makeRoom(size) {
    if (this.#buffered + size > limits.inlineBytes) this.#flush();
    const need = this.#buffered + size;
    if (need <= this.#buffer.size) return;
    const larger = new Region(max(need, min(2 * this.#buffer.size, limits.inlineBytes)));
    setBytes(larger.bytes, part(this.#buffer.bytes, 0, this.#buffered));
    this.#buffer = larger;
  }

  #flush() {
    this.#send(this.#buffer.address, this.#buffered);
    this.#buffered = 0;
  }

  #send(address, size) {
    if (size === 0) return;
    this.#handle ??= checked(blobNew());
    sendAll(this.#handle, address, size);
    this.#written += size;
  }

  #check() {
    if (this.#call !== call) throw new Error("this writer belongs to a call that has ended");
  }

  /** The message that has what was written, or refers to it. */
  encode() {
    if (this.#handle === undefined) return { source: "inline", inline: part(this.#buffer.bytes, 0, this.#buffered) };
    this.#check();
    this.#flush();
    return { source: "blob", blob: { handle: this.#handle, size: this.#written, sha256: none } };
  }
}

function sendAll(handle, address, size) {
  const most = 2 ** 30; // what one call takes
  for (let at = 0; at < size; at += most) checked(blobWrite(handle, address + at, min(most, size - at)));
}

function fromBytes(bytes) {
  const size = lengthOf(bytes);
  if (size <= limits.inlineBytes) return { source: "inline", inline: bytes };
  const handle = checked(blobNew());
  sendAll(handle, addressOf(bytes), size);
  return { source: "blob", blob: { handle, size, sha256: none } };
}

/** The message for what a handler gave as content; undefined is no content. */
export function toContent(data, what) {
  if (data === undefined || data === null) return undefined;
  if (typeof data === "string" && roomFor(data) <= limits.inlineBytes) return { source: "inline", inline: data };
  if (isA(data, Content) || isA(data, Writer)) return data.encode();
  if (typeof data === "string" || isBytes(data) || isA(data, ArrayBuffer)) return fromBytes(toBytes(data, what));
  throw new TypeError(what + " must be a string, a Uint8Array, a Content or a Writer, not " + typeName(data));
}
