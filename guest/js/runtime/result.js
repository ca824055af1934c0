// Results of responders, and the outcomes that they become.

import { BigInt, TypeError, isA, isArray, isBytes, isInteger, joined, keys, map, nothing, place } from "./primordials.js";
import { toContent, Content, Writer } from "./content.js";
import { toEntries } from "./values.js";
import { toBytes, typeName } from "./text.js";
import { message } from "./schema.js";

const kinds = ["file", "directory", "symlink", "other"];

function integer(v, what, low, high) {
  if (typeof v === "bigint" || isInteger(v)) {
    const n = BigInt(v); // QuickJS compares negative numbers with BigInts wrongly
    if (n >= low && n <= high) return v;
  }
  const given = typeof v === "number" || typeof v === "bigint" ? v : typeName(v);
  throw new TypeError(what + " must be an integer from " + low + " to " + high + ", not " + given);
}

const int32 = (v, what) => integer(v, what, -2147483648n, 2147483647n);
const int64 = (v, what) => integer(v, what, -(2n ** 63n), 2n ** 63n - 1n);
const uint32 = (v, what) => integer(v, what, 0n, 2n ** 32n - 1n);
const uint64 = (v, what) => integer(v, what, 0n, 2n ** 64n - 1n);
const text = (v, what) => {
  if (typeof v !== "string") throw new TypeError(what + " must be a string, not " + typeName(v));
  return v;
};

function object(result, what) {
  if (result === undefined || result === null) return nothing;
  if (typeof result !== "object" || isArray(result)) throw new TypeError(what + " must be an object, not " + typeName(result));
  return result;
}

/** An object with no other keys than those named: what is misspelt would be lost. */
function record(result, what, known) {
  const given = object(result, what);
  const names = keys(given);
  for (let i = 0; i < names.length; i++) {
    if (place(known, names[i]) < 0) throw new TypeError(what + " has the unknown key " + names[i] + "; it can have " + joined(known, ", "));
  }
  return given;
}

const optional = (v, convert) => (v === undefined || v === null ? undefined : convert(v));

function toVoid(result, method) {
  if (result !== undefined && result !== null) throw new TypeError(method + " has no result, not " + typeName(result));
  return { kind: "void", void: {} };
}

function toExec(result) {
  const { stdout, stderr, exitCode = 0 } = record(result, "the result of exec", ["stdout", "stderr", "exitCode"]);
  return {
    kind: "exec",
    exec: { stdout: toContent(stdout, "stdout"), stderr: toContent(stderr, "stderr"), exitCode: int32(exitCode, "exitCode") },
  };
}

/** Content alone is a stream from its start; a string is one of text. */
function toStream(result) {
  const bare = typeof result === "string" || isBytes(result) || isA(result, Content) || isA(result, Writer);
  const { content, position = 0, text: isText } = bare ? { content: result } : record(result, "the result of read", ["content", "position", "text"]);
  return {
    kind: "stream",
    stream: {
      content: toContent(content, "content"),
      position: uint64(position, "position"),
      text: !!(isText ?? typeof content === "string"),
    },
  };
}

function toListing(result) {
  const entries = result ?? [];
  if (!isArray(entries)) throw new TypeError("the result of ls must be an array, not " + typeName(result));
  return { kind: "listing", listing: { entries: map(entries, toFileEntry) } };
}

function toFileEntry(entry, i) {
  const what = "entry " + i;
  const { path, permissions = 0, owner = "", group = "", size = 0, kind = "file" } = record(entry, what, ["path", "permissions", "owner", "group", "size", "kind"]);
  const number = place(kinds, kind);
  if (number < 0) throw new TypeError(what + ": kind must be one of " + joined(kinds, ", "));
  return {
    path: typeof path === "string" ? path : toBytes(path, what + ": path"),
    permissions: uint32(permissions, what + ": permissions"),
    owner: text(owner, what + ": owner"),
    group: text(group, what + ": group"),
    size: uint64(size, what + ": size"),
    kind: number,
  };
}

function toPty(result, method) {
  const { processId, output, exitCode, originalTokenCount } = record(result, "the result of " + method, ["processId", "output", "exitCode", "originalTokenCount"]);
  return {
    kind: "pty",
    pty: {
      processId: optional(processId, (v) => int64(v, "processId")),
      output: toContent(output, "output"),
      exitCode: optional(exitCode, (v) => int32(v, "exitCode")),
      originalTokenCount: optional(originalTokenCount, (v) => uint64(v, "originalTokenCount")),
    },
  };
}

const toText = (result) => ({ kind: "text", text: text(result ?? "", "the result of apply_patch") });

/** The methods of a sandbox, by the names of their fields in a call, and by their own. */
export const methodsByField = { __proto__: null };
export const methodsByName = { __proto__: null };

function addMethod(number, name, field, request, toOutcome) {
  methodsByField[field] = methodsByName[name] = { number, name, field, request: message(request), toOutcome };
}

addMethod(3, "apply_patch", "applyPatch", "ApplyPatchRequest", toText);
addMethod(4, "exec", "exec", "ExecRequest", toExec);
addMethod(5, "ls", "ls", "LsRequest", toListing);
addMethod(6, "mkdir", "mkdir", "MkdirRequest", toVoid);
addMethod(7, "pty_exec_start", "ptyExecStart", "PtyExecStartRequest", toPty);
addMethod(8, "pty_write_stdin", "ptyWriteStdin", "PtyWriteStdinRequest", toPty);
addMethod(9, "read", "read", "ReadRequest", toStream);
addMethod(10, "rm", "rm", "RmRequest", toVoid);
addMethod(11, "write", "write", "WriteRequest", toVoid);

/** The outcome that a sandbox error is. */
export function toFailure(error) {
  const retryable = error.retryable === undefined || error.retryable === null ? 0 : error.retryable ? 2 : 1;
  if (error.code === "") throw new TypeError("the code of a SandboxError is empty");
  return {
    kind: "error",
    error: {
      code: text(error.code, "code"), op: text(error.op, "op"), message: text(error.message, "message"),
      context: toEntries(object(error.context, "context"), "context"), retryable,
    },
  };
}
