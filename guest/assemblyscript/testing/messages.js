// The schemas of the messages, with the names that JavaScript has for their fields.

import { field } from "./wire.js";

const Shell = () => [field(1, "mode", "uint32"), field(2, "argv", "bytes", true)];
const Blob = () => [field(1, "handle", "uint32"), field(2, "size", "uint64"), field(3, "sha256", "bytes")];
const Content = () => [field(1, "inline", "bytes"), field(2, "blob", Blob)];
const Stream = () => [field(1, "content", Content), field(2, "position", "uint64"), field(3, "text", "bool")];
const ValueList = () => [field(1, "values", Value, true)];
const ValueMap = () => [field(1, "entries", Entry, true)];
const Void = () => [];

export const Value = () => [
  field(1, "bool", "bool"),
  field(2, "int", "sint64"),
  field(3, "text", "string"),
  field(4, "data", "bytes"),
  field(5, "list", ValueList),
  field(6, "map", ValueMap),
];

const Entry = () => [field(1, "key", "string"), field(2, "value", Value)];

const command = [
  field(1, "command", "bytes", true),
  field(2, "timeoutNs", "int64"),
  field(3, "shell", Shell),
  field(4, "user", "string"),
];

const PatchOperation = () => [
  field(1, "type", "string"),
  field(2, "path", "bytes"),
  field(3, "diff", "bytes"),
  field(4, "moveTo", "bytes"),
];

export const Call = () => [
  field(1, "index", "uint64"),
  field(2, "timeNs", "int64"),
  field(3, "applyPatch", () => [field(1, "operations", PatchOperation, true), field(2, "patchFormat", "string")]),
  field(4, "exec", () => command),
  field(5, "ls", () => [field(1, "path", "bytes"), field(2, "user", "string")]),
  field(6, "mkdir", () => [field(1, "path", "bytes"), field(2, "parents", "bool"), field(3, "user", "string")]),
  field(7, "ptyExecStart", () => [
    ...command,
    field(5, "tty", "bool"),
    field(6, "yieldTimeNs", "int64"),
    field(7, "maxOutputTokens", "int64"),
  ]),
  field(8, "ptyWriteStdin", () => [
    field(1, "sessionId", "int64"),
    field(2, "chars", "bytes"),
    field(3, "yieldTimeNs", "int64"),
    field(4, "maxOutputTokens", "int64"),
  ]),
  field(9, "read", () => [field(1, "path", "bytes"), field(2, "user", "string")]),
  field(10, "rm", () => [field(1, "path", "bytes"), field(2, "recursive", "bool"), field(3, "user", "string")]),
  field(11, "write", () => [field(1, "path", "bytes"), field(2, "data", Stream), field(3, "user", "string")]),
];

const Limits = () => [
  field(1, "inlineBytes", "uint64"),
  field(2, "replyBytes", "uint64"),
  field(3, "logBytes", "uint64"),
  field(4, "blobBytes", "uint64"),
];

export const Open = () => [
  field(1, "config", Entry, true),
  field(2, "seed", "uint64"),
  field(3, "startTimeNs", "int64"),
  field(4, "limits", Limits),
];

const Handler = () => [
  field(1, "id", "uint32"),
  field(2, "name", "string"),
  field(3, "kind", "uint32"),
  field(4, "methods", "uint32", true),
];

const Description = () => [
  field(1, "name", "string"),
  field(2, "version", "string"),
  field(3, "sdk", "string"),
  field(4, "sdkVersion", "string"),
  field(5, "language", "string"),
  field(6, "toolchain", "string"),
  field(7, "handlers", Handler, true),
  field(8, "configSchema", "string"),
];

const Difference = () => [field(1, "field", "string"), field(2, "expected", "string"), field(3, "actual", "string")];

const FileEntry = () => [
  field(1, "path", "bytes"),
  field(2, "permissions", "uint32"),
  field(3, "owner", "string"),
  field(4, "group", "string"),
  field(5, "size", "uint64"),
  field(6, "kind", "uint32"),
];

const Outcome = () => [
  field(1, "void", Void),
  field(2, "exec", () => [field(1, "stdout", Content), field(2, "stderr", Content), field(3, "exitCode", "sint32")]),
  field(3, "stream", Stream),
  field(4, "listing", () => [field(1, "entries", FileEntry, true)]),
  field(5, "text", "string"),
  field(6, "pty", () => [
    field(1, "processId", "sint64"),
    field(2, "output", Content),
    field(3, "exitCode", "sint32"),
    field(4, "originalTokenCount", "uint64"),
  ]),
  field(7, "error", () => [
    field(1, "code", "string"),
    field(2, "op", "string"),
    field(3, "message", "string"),
    field(4, "context", Entry, true),
    field(5, "retryable", "uint32"),
  ]),
];

export const Reply = () => [
  field(1, "description", Description),
  field(2, "verdict", () => [
    field(1, "answer", "uint32"),
    field(2, "reason", "string"),
    field(3, "differences", Difference, true),
  ]),
  field(3, "outcome", Outcome),
  field(4, "error", () => [field(1, "kind", "uint32"), field(2, "message", "string")]),
  field(5, "done", Void),
];

export const Panic = () => [
  field(1, "message", "bytes"),
  field(2, "file", "bytes"),
  field(3, "line", "uint32"),
  field(4, "stack", "bytes"),
];
