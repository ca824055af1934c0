// The kitchen-sink guest: all of the ABI, as guest/kitchen/README.md has it.
import {
  SandboxError, Writer, accept, describe, extension, log, match, onExec, onLs, onMkdir, onOpen, onPtyExecStart,
  onPtyWriteStdin, onRead, onRm, onWrite, panic, reject, respond,
} from "wasmsandbox";

describe({ name: "kitchen-sink", version: "1.0.0", configSchema: { type: "object" } });

onOpen(({ config }) => {
  const depth = config.get("depth");
  if ((typeof depth === "number" || typeof depth === "bigint") && depth > 9) throw new Error("depth is at most 9");
});

// ------------------------------------------------------------------ renderings

/** Bytes of lines: what is in them need not be UTF-8. */
class Rendering {
  #parts = [];
  #size = 0;

  add(...pieces) {
    for (const piece of pieces) {
      const bytes = piece instanceof Uint8Array ? piece : new TextEncoder().encode(String(piece));
      this.#parts.push(bytes);
      this.#size += bytes.length;
    }
    return this;
  }

  line(name, value) {
    return this.add(name, "=", typeof value === "boolean" ? Number(value) : value, "\n");
  }

  lines(name, values) {
    values.forEach((value, i) => this.line(`${name}[${i}]`, value));
    return this;
  }

  shell({ mode, argvBytes }) {
    return this.line("shell.mode", ["default", "off", "argv"].indexOf(mode)).lines("shell.argv", argvBytes);
  }

  bytes() {
    const all = new Uint8Array(this.#size);
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

const renderings = {
  apply_patch(r, { operations, patchFormat }) {
    operations.forEach((operation, i) => {
      const name = `operations[${i}]`;
      r.line(`${name}.type`, operation.type).line(`${name}.path`, operation.pathBytes);
      if (operation.diff !== undefined) r.line(`${name}.diff`, operation.diffBytes);
      if (operation.moveTo !== undefined) r.line(`${name}.move_to`, operation.moveToBytes);
    });
    r.line("patch_format", patchFormat);
  },
  exec: (r, q) => r.lines("command", q.commandBytes).line("timeout_ns", q.timeoutNs).shell(q.shell).line("user", q.user),
  ls: (r, q) => r.line("path", q.pathBytes).line("user", q.user),
  mkdir: (r, q) => r.line("path", q.pathBytes).line("parents", q.parents).line("user", q.user),
  pty_exec_start(r, q) {
    renderings.exec(r, q);
    r.line("tty", q.tty).line("yield_time_ns", q.yieldTimeNs).line("max_output_tokens", q.maxOutputTokens);
  },
  pty_write_stdin: (r, q) => r.line("session_id", q.sessionId).line("chars", q.charsBytes)
    .line("yield_time_ns", q.yieldTimeNs).line("max_output_tokens", q.maxOutputTokens),
  read: (r, q) => r.line("path", q.pathBytes).line("user", q.user),
  rm: (r, q) => r.line("path", q.pathBytes).line("recursive", q.recursive).line("user", q.user),
  write: (r, q) => r.line("path", q.pathBytes).line("data.size", q.data.size).line("data.position", q.data.position)
    .line("data.text", q.data.isText).line("user", q.user),
};

function renderCall(call) {
  const r = new Rendering().line("method", call.method).line("index", call.index).line("time_ns", call.timeNs);
  renderings[call.method](r, call.request);
  return r.bytes();
}

function renderValue(v) {
  if (typeof v === "string") return `"${v}"`;
  if (v instanceof Uint8Array) return `0x${Array.from(v, (b) => b.toString(16).padStart(2, "0")).join("")}`;
  if (Array.isArray(v)) return `[${v.map(renderValue).join(",")}]`;
  if (v instanceof Map) return `{${[...v].map(([key, element]) => `${key}=${renderValue(element)}`).join(",")}}`;
  return String(v);
}

// ------------------------------------------------------------------ responders

respond("render", (call) => {
  const rendering = renderCall(call);
  log.info(rendering);
  return call.method === "exec" ? { stdout: rendering } : undefined;
});

const full = {
  apply_patch: ({ operations }) => `patched ${operations.length}`,
  exec: () => ({ stdout: "out\n", stderr: "err\n", exitCode: 3 }),
  ls: () => [
    { path: "src", permissions: 0o40755, owner: "root", group: "staff", size: 4096, kind: "directory" },
    { path: "a.txt", permissions: 0o644, owner: "root", group: "staff", size: 5, kind: "file" },
    { path: "link", permissions: 0o777, kind: "symlink" },
    { path: "fifo", permissions: 0o600, owner: "u", group: "g", kind: "other" },
  ],
  pty_exec_start: () => ({ processId: 7, output: "$ ", originalTokenCount: 18446744073709551615n }),
  pty_write_stdin: () => ({ output: "bye", exitCode: -1 }),
  read: () => ({ content: "hello", position: 2, text: true }),
};

respond("results", (call, request) => full[call.method]?.(request));
respond("empty", () => undefined);

onExec("raise", (call, { command: [code, op, message, retryable, context] }) => {
  throw new SandboxError(code, {
    op, message,
    retryable: { unknown: undefined, no: false, yes: true }[retryable],
    context: context === "none" ? {} : {
      bool: true, bytes: new Uint8Array([0x00, 0xff]), int: -5, list: [null, false, 7, "x"], map: { a: { b: "c" } },
      max: 9223372036854775807n, min: -9223372036854775808n, null: null, text: "é",
    },
  });
});

const files = new Map(); // by path, a character for each byte

const keyOf = (bytes) => Array.from(bytes, (b) => String.fromCharCode(b)).join("");

onWrite("store", (call, { pathBytes, data }) => void files.set(keyOf(pathBytes), data.read(data.position)));
onRead("store", (call, { path, pathBytes }) => {
  const content = files.get(keyOf(pathBytes));
  if (content === undefined) throw new SandboxError("workspace_read_not_found", { context: { path } });
  return content;
});
onRm("store", (call, { pathBytes }) => void files.delete(keyOf(pathBytes)));
onLs("store", () => [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, content]) => ({
  path: Uint8Array.from(key, (c) => c.charCodeAt(0)), permissions: 0o644, size: content.length,
})));
onMkdir("store", () => { throw new SandboxError("workspace_archive_write_error"); });

let calls = 0;

onExec("count", () => {
  calls++;
  log.debug(`call ${calls}`);
  return { exitCode: calls };
});

onWrite("checksum", (call, { data }) => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < data.size; at += 4096) {
    for (const byte of data.read(at, 4096)) hash = Math.imul(hash ^ byte, 0x01000193);
  }
  log.info(`size=${data.size} position=${data.position} text=${Number(data.isText)} fnv=${hash >>> 0}`);
});

onRead("generate", (call, { path }) => {
  const content = new Writer();
  for (let i = 0; i < Number(path); i++) content.write(`${i}\n`);
  return content;
});

/** The alphabet again and again. */
function letters(size) {
  const bytes = new Uint8Array(size);
  for (let i = 0; i < Math.min(size, 26); i++) bytes[i] = 97 + i;
  for (let done = 26; done < size; done *= 2) bytes.copyWithin(done, 0, Math.min(done, size - done));
  return bytes;
}

onExec("big", (call, { command: [n, m, exitCode] }) => ({
  stdout: letters(Number(n)), stderr: letters(Number(m)), exitCode: Number(exitCode),
}));

onExec("log", (call, { commandBytes }) => {
  commandBytes.forEach((part, i) => [log.debug, log.info, log.warn, log.error][i % 4](part));
});

onExec("config", (call) => ({ stdout: Array.from(call.config, ([key, value]) => `${key}=${renderValue(value)}\n`).join("") }));

onExec("setting", (call, { command: [name] }) => ({ stdout: call.config.string(name, "main") }));

onExec("session", ({ session: { seed, startTimeNs, limits }, index, timeNs }) => ({
  stdout: `seed=${seed}\nstart_time_ns=${startTimeNs}\ninline_bytes=${limits.inlineBytes}\n`
    + `reply_bytes=${limits.replyBytes}\nlog_bytes=${limits.logBytes}\nblob_bytes=${limits.blobBytes}\n`
    + `index=${index}\ntime_ns=${timeNs}\n`,
}));

onPtyExecStart("shell", (call, { maxOutputTokens }) => ({
  processId: 7, output: "$ ", originalTokenCount: maxOutputTokens === 0 ? undefined : 12,
}));
onPtyWriteStdin("shell", (call, { sessionId, chars, charsBytes }) =>
  (chars === "exit\n" ? { exitCode: 0, output: "bye\n" } : { processId: sessionId, output: charsBytes }));

onExec("extension", () => ({ stdout: String(extension(7, "x")) }));

onWrite("blob_len", (call, { data }) => log.info(String(data.hostSize ?? "inline")));

onExec("broken", () => { throw new Error("it's broken"); });
onExec("panic", () => panic("deliberate panic"));

// -------------------------------------------------------------------- matchers

match("accept", () => accept());
match("undecided", () => undefined);
match("only_git", ({ request: { command: [first] } }) =>
  (first === "git" ? accept() : reject("not git").differ("args[0]", "git", first)), { methods: ["exec"] });
match("differ", () => reject("two differences").differ("a", "1", "2").differ("b"));
match("digest", ({ request: { data } }) =>
  reject(data.sha256 ?? "inline").differ("data", "", data.size), { methods: ["write"] });
match("broken", () => { throw new Error("it's broken"); }, { methods: ["exec"] });
match("panic", () => panic("deliberate panic"), { methods: ["exec"] });
