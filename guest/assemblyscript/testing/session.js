import { readFile } from "node:fs/promises";
import { Host } from "./host.js";
import { Call, Open, Reply } from "./messages.js";
import { fromEntries, toEntries } from "./values.js";
import { decode, encode } from "./wire.js";

const KINDS = ["unspecified", "handler_failed", "unknown_handler", "bad_message", "bad_config", "unsupported_method"];
const DEFAULT_LIMITS = { inlineBytes: 65536, replyBytes: 16777216, logBytes: 1048576, blobBytes: 268435456 };

/** That the guest has no answer: `kind` is for example "handler_failed", or "limit" for a reply that is too long. */
export class GuestError extends Error {
  constructor(kind, message) {
    super(message);
    this.name = "GuestError";
    this.kind = kind;
  }
}

/** That the guest died: `file` and `line` tell where, if it reported that. */
export class GuestPanic extends Error {
  constructor({ message, file, line }, cause) {
    super(message, { cause });
    this.name = "GuestPanic";
    this.file = file;
    this.line = line;
  }
}

/**
 * Opens a session with a guest.
 * @param wasm the compiled guest: a file name, a URL, or its bytes
 * @param options config, an object; seed; startTimeNs; limits, some of inlineBytes, replyBytes, logBytes and blobBytes
 * @throws GuestError when the guest can't use its configuration; GuestPanic when it dies
 */
export async function openSession(wasm, options = {}) {
  const session = await Session.load(wasm, options.limits);
  session.open(options);
  return session;
}

/** A session with one guest. It is a host, with the parts that a test needs. */
export class Session {
  #exports;
  #host;
  #limits;
  #handlers = [];
  #index = 0n;
  #dead = null;
  #buffer = { ptr: 0, size: 0 };

  /** Loads a guest, and doesn't open its session. */
  static async load(wasm, limits = {}) {
    const bytes = wasm instanceof Uint8Array ? wasm : await readFile(wasm);
    const session = new Session();
    session.#limits = { ...DEFAULT_LIMITS, ...limits };
    session.#host = new Host(session.#limits);
    const { instance } = await WebAssembly.instantiate(bytes, { wasmsandbox_v1: session.#host.imports });
    session.#exports = instance.exports;
    session.#host.memory = instance.exports.memory;
    session.#guarded(() => instance.exports._initialize?.());
    session.#guarded(() => instance.exports.wasmsandbox_abi_v1());
    session.#handlers = session.describe().handlers;
    return session;
  }

  /** Lines of the last call: {level, text}. */
  get logs() {
    return this.#host.logs;
  }

  /** The guest's memory, in bytes. */
  get memoryBytes() {
    return this.#exports.memory.buffer.byteLength;
  }

  describe() {
    return this.#reply(() => this.#exports.wasmsandbox_describe()).description;
  }

  open({ config = {}, seed = 0, startTimeNs = 0 } = {}) {
    this.sendOpen(encode(Open, { config: toEntries(config), seed, startTimeNs, limits: this.#limits }));
  }

  /** Opens the session with the bytes of a message. */
  sendOpen(message) {
    this.#reply(() => this.#exports.wasmsandbox_open(this.#send(message)));
  }

  close() {
    this.#reply(() => this.#exports.wasmsandbox_close());
  }

  /**
   * Calls a responder.
   * @param request the request by its method, such as {exec: {command: ["ls"]}}; the data of a write is bytes, a
   *   string, or {content, position, text}
   * @returns the outcome by its kind, with contents as Buffers, such as {exec: {stdout, stderr, exitCode}} or
   *   {error: {code, context}}
   * @throws GuestError when the guest has no answer; GuestPanic when it dies
   */
  respond(handler, request) {
    return this.sendRespond(this.#id(handler, 2), this.#call(request));
  }

  /** Asks a matcher. The answer is {accepted, reason, differences}. */
  match(handler, request) {
    return this.sendMatch(this.#id(handler, 1), this.#call(request));
  }

  /** Calls the responder of an id with the bytes of a message. */
  sendRespond(id, message) {
    const { outcome } = this.#reply(() => this.#exports.wasmsandbox_respond(id, this.#send(message)));
    return this.#resolve(outcome);
  }

  /** Asks the matcher of an id with the bytes of a message. */
  sendMatch(id, message) {
    const { verdict } = this.#reply(() => this.#exports.wasmsandbox_match(id, this.#send(message)));
    return { accepted: verdict.answer !== 2, reason: verdict.reason ?? "", differences: verdict.differences };
  }

  #id(name, kind) {
    const handler = this.#handlers.find((h) => h.name === name && h.kind === kind);
    if (handler === undefined) throw new Error(`the guest has no ${kind === 1 ? "matcher" : "responder"} ${name}`);
    return handler.id;
  }

  /** The message of the next call. */
  #call(request) {
    this.#host.begin();
    const call = { index: this.#index++, ...request };
    if (call.write?.data !== undefined) {
      const { content = call.write.data, ...rest } = isContent(call.write.data) ? {} : call.write.data;
      call.write = { ...call.write, data: { ...rest, content: this.#host.share(Buffer.from(content)) } };
    }
    return encode(Call, call);
  }

  #send(message) {
    if (message.length > this.#buffer.size) {
      const ptr = this.#guarded(() => this.#exports.wasmsandbox_buffer(message.length)) >>> 0;
      if (ptr === 0) throw new Error(`the guest doesn't take ${message.length} bytes`);
      this.#buffer = { ptr, size: message.length };
    }
    const place = this.#host.view(this.#buffer.ptr, message.length);
    if (place === null) throw new Error("the input buffer reaches beyond the memory");
    place.set(message);
    return message.length;
  }

  #reply(run) {
    const packed = BigInt.asUintN(64, this.#guarded(run));
    const [size, limit] = [Number(packed & 0xffffffffn), this.#limits.replyBytes];
    if (size > limit) throw new GuestError("limit", `the reply has ${size} bytes, the host takes ${limit}`);
    const bytes = this.#host.view(Number(packed >> 32n), size);
    if (bytes === null) throw new Error("the reply reaches beyond the memory");
    const reply = decode(Reply, bytes);
    if (reply.error !== undefined) throw new GuestError(KINDS[reply.error.kind ?? 0], reply.error.message ?? "");
    return reply;
  }

  /** Runs an export; once it has trapped, the guest isn't called again. */
  #guarded(run) {
    if (this.#dead !== null) throw this.#dead;
    try {
      return run();
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      this.#dead = new GuestPanic(this.#host.panic ?? { message: error.message, file: "", line: 0 }, error);
      throw this.#dead;
    }
  }

  /** Replaces contents by their bytes, and fills in what has its default. */
  #resolve({ exec, stream, pty, error, listing, ...rest }) {
    const bytes = (content) => this.#host.bytesOf(content);
    if (exec) return { exec: { stdout: bytes(exec.stdout), stderr: bytes(exec.stderr), exitCode: exec.exitCode ?? 0 } };
    if (stream) {
      const { content, position = 0n, text = false } = stream;
      return { stream: { content: bytes(content), position, text } };
    }
    if (pty) return { pty: { ...pty, output: bytes(pty.output) } };
    if (listing) return { listing: listing.entries.map((entry) => ({ ...entry, path: entry.path?.toString() ?? "" })) };
    if (error) return { error: { ...error, context: fromEntries(error.context) } };
    return rest;
  }
}

function isContent(data) {
  return typeof data === "string" || data instanceof Uint8Array;
}
