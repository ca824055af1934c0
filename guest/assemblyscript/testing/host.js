import { createHash } from "node:crypto";
import { Panic } from "./messages.js";
import { decode } from "./wire.js";

const BAD_POINTER = -1;
const BAD_HANDLE = -2;
const BAD_ARGUMENT = -3;
const LIMIT = -4;
const UNSUPPORTED = -6;
const LEVELS = ["debug", "info", "warn", "error"];

/** The seven functions that a host offers, and what they keep of the current call. */
export class Host {
  /** Lines of the current call: {level, text}. */
  logs = [];
  /** What the guest reported before it died, or null. */
  panic = null;
  /** The guest's memory, once it is instantiated. */
  memory = null;

  #limits;
  #blobs = new Map();
  #written = 0;
  #logged = 0;

  constructor(limits) {
    this.#limits = limits;
  }

  /** Forgets the logs and blobs of the call before. */
  begin() {
    this.logs = [];
    this.#blobs.clear();
    this.#written = 0;
    this.#logged = 0;
  }

  /** The message of content for the guest: a blob when it is longer than the limit. */
  share(data) {
    if (data.length <= this.#limits.inlineBytes) return { inline: data };
    const handle = this.#blobs.size + 1;
    this.#blobs.set(handle, { data: Buffer.from(data), writable: false });
    return { blob: { handle, size: data.length, sha256: createHash("sha256").update(data).digest() } };
  }

  /** The bytes of content of the guest. Throws when the reply breaks the rules. */
  bytesOf(content) {
    if (content?.blob === undefined) {
      const inline = content?.inline ?? Buffer.alloc(0);
      if (inline.length > this.#limits.inlineBytes) throw new Error(`${inline.length} inline bytes are too many`);
      return inline;
    }
    const { handle = 0, size = 0n, sha256 } = content.blob;
    const blob = this.#blobs.get(handle);
    if (blob === undefined) throw new Error(`there is no blob ${handle}`);
    if (BigInt(blob.data.length) !== size) throw new Error(`blob ${handle} has ${blob.data.length} bytes, not ${size}`);
    if (sha256?.length && !sha256.equals(createHash("sha256").update(blob.data).digest())) {
      throw new Error(`blob ${handle} has another digest`);
    }
    return blob.data;
  }

  /** Memory at a place, or null if it reaches beyond the end. */
  view(ptr, len) {
    const { buffer } = this.memory;
    ptr >>>= 0;
    len >>>= 0;
    return ptr + len <= buffer.byteLength ? Buffer.from(buffer, ptr, len) : null;
  }

  get imports() {
    return {
      log: (level, ptr, len) => this.#log(level, ptr, len),
      fail: (ptr, len) => this.#fail(ptr, len),
      blob_len: (handle) => BigInt(this.#blobs.get(handle)?.data.length ?? BAD_HANDLE),
      blob_read: (handle, offset, ptr, len) => this.#read(handle, offset, ptr, len),
      blob_new: () => {
        const handle = this.#blobs.size + 1;
        this.#blobs.set(handle, { data: Buffer.alloc(0), writable: true });
        return handle;
      },
      blob_write: (handle, ptr, len) => this.#write(handle, ptr, len),
      extension: () => BigInt(UNSUPPORTED),
    };
  }

  #log(level, ptr, len) {
    const bytes = this.view(ptr, len);
    if (bytes === null) return BAD_POINTER;
    if (level < 0 || level >= LEVELS.length) return BAD_ARGUMENT;
    const room = this.#limits.logBytes - this.#logged;
    this.#logged += Math.min(room, bytes.length);
    this.logs.push({ level: LEVELS[level], text: bytes.subarray(0, room).toString() });
    return bytes.length > room ? LIMIT : 0;
  }

  #fail(ptr, len) {
    const { message, file, line = 0 } = decode(Panic, this.view(ptr, len) ?? Buffer.alloc(0));
    this.panic = { message: message?.toString() ?? "", file: file?.toString() ?? "", line };
    return 0;
  }

  #read(handle, offset, ptr, len) {
    const blob = this.#blobs.get(handle);
    const to = this.view(ptr, len);
    if (blob === undefined) return BAD_HANDLE;
    if (to === null) return BAD_POINTER;
    if (offset < 0n || len < 0) return BAD_ARGUMENT;
    if (offset >= BigInt(blob.data.length)) return 0;
    return blob.data.copy(to, 0, Number(offset));
  }

  #write(handle, ptr, len) {
    const blob = this.#blobs.get(handle);
    const from = this.view(ptr, len);
    if (!blob?.writable) return BAD_HANDLE;
    if (from === null) return BAD_POINTER;
    if (this.#written + from.length > this.#limits.blobBytes) return LIMIT;
    this.#written += from.length;
    blob.data = Buffer.concat([blob.data, from]);
    return from.length;
  }
}
