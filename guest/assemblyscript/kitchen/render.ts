import {
  ApplyPatchRequest,
  Call,
  Entry,
  ExecRequest,
  ExecResult,
  LsRequest,
  Method,
  MkdirRequest,
  PatchOperation,
  PtyExecStartRequest,
  PtyWriteStdinRequest,
  Result,
  RmRequest,
  Value,
  ValueKind,
  WriteRequest,
  log,
  methodName,
} from "../assembly";
import { empty } from "./results";

/** Logs the call, and returns the method's empty result. */
export function render(call: Call): Result {
  const text = renderCall(call);
  log.info(text);
  return call.method == Method.Exec ? ExecResult.stdout(text) : empty(call);
}

/** One line for each field. */
export class Rendering {
  private lines: string[] = [];

  text(name: string, value: string): void {
    this.lines.push(name + "=" + value + "\n");
  }

  int(name: string, value: i64): void {
    this.text(name, value.toString());
  }

  uint(name: string, value: u64): void {
    this.text(name, value.toString());
  }

  flag(name: string, value: bool): void {
    this.text(name, value ? "1" : "0");
  }

  list(name: string, values: string[]): void {
    for (let i = 0, n = values.length; i < n; i++) this.text(name + "[" + i.toString() + "]", values[i]);
  }

  toString(): string {
    return this.lines.join("");
  }
}

function renderCall(call: Call): string {
  const r = new Rendering();
  r.text("method", methodName(call.method));
  r.uint("index", call.index);
  r.int("time_ns", call.timeNs);
  const request = call.request;
  switch (call.method) {
    case Method.ApplyPatch: patch(r, request as ApplyPatchRequest); break;
    case Method.Exec: exec(r, request as ExecRequest); break;
    case Method.PtyExecStart: ptyExecStart(r, request as PtyExecStartRequest); break;
    case Method.PtyWriteStdin: ptyWriteStdin(r, request as PtyWriteStdinRequest); break;
    case Method.Write: write(r, request as WriteRequest); break;
    case Method.Mkdir: {
      const mkdir = request as MkdirRequest;
      r.text("path", mkdir.path);
      r.flag("parents", mkdir.parents);
      r.text("user", mkdir.user);
      break;
    }
    case Method.Rm: {
      const rm = request as RmRequest;
      r.text("path", rm.path);
      r.flag("recursive", rm.recursive);
      r.text("user", rm.user);
      break;
    }
    default: {
      const ls = request as LsRequest; // which read is, too
      r.text("path", ls.path);
      r.text("user", ls.user);
    }
  }
  return r.toString();
}

function patch(r: Rendering, request: ApplyPatchRequest): void {
  for (let i = 0, n = request.operations.length; i < n; i++) {
    operation(r, "operations[" + i.toString() + "].", request.operations[i]);
  }
  r.text("patch_format", request.patchFormat);
}

function operation(r: Rendering, prefix: string, op: PatchOperation): void {
  r.text(prefix + "type", op.type);
  r.text(prefix + "path", op.path);
  const diff = op.diff;
  if (diff !== null) r.text(prefix + "diff", diff);
  const moveTo = op.moveTo;
  if (moveTo !== null) r.text(prefix + "move_to", moveTo);
}

function exec(r: Rendering, request: ExecRequest): void {
  r.list("command", request.command);
  r.int("timeout_ns", request.timeoutNs);
  r.int("shell.mode", request.shell.mode);
  r.list("shell.argv", request.shell.argv);
  r.text("user", request.user);
}

function ptyExecStart(r: Rendering, request: PtyExecStartRequest): void {
  exec(r, request);
  r.flag("tty", request.tty);
  r.int("yield_time_ns", request.yieldTimeNs);
  r.int("max_output_tokens", request.maxOutputTokens);
}

function ptyWriteStdin(r: Rendering, request: PtyWriteStdinRequest): void {
  r.int("session_id", request.sessionId);
  r.text("chars", request.chars);
  r.int("yield_time_ns", request.yieldTimeNs);
  r.int("max_output_tokens", request.maxOutputTokens);
}

function write(r: Rendering, request: WriteRequest): void {
  r.text("path", request.path);
  r.uint("data.size", request.data.content.size);
  r.uint("data.position", request.data.position);
  r.flag("data.text", request.data.isText);
  r.text("user", request.user);
}

/** A value of a configuration. */
export function renderValue(value: Value): string {
  switch (value.kind) {
    case ValueKind.Bool: return value.int != 0 ? "true" : "false";
    case ValueKind.Int: return value.int.toString();
    case ValueKind.Text: return '"' + value.text + '"';
    case ValueKind.Data: return "0x" + hex(value.data);
    case ValueKind.List:
      return "[" + value.list.map<string>((item: Value): string => renderValue(item)).join(",") + "]";
    case ValueKind.Map:
      return "{" + value.entries.map<string>((e: Entry): string => e.key + "=" + renderValue(e.value)).join(",") + "}";
    default: return "null";
  }
}

export function hex(bytes: Uint8Array): string {
  const digits = "0123456789abcdef";
  let text = "";
  for (let i = 0, n = bytes.length; i < n; i++) text += digits.charAt(bytes[i] >> 4) + digits.charAt(bytes[i] & 15);
  return text;
}
