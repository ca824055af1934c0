import { Call, ExecRequest, ExecResult, Open, fail, log, onExec, onOpen } from "../assembly";
import { hostExtension } from "../assembly/imports";
import { Rendering, renderValue } from "./render";

/** What the guest was told of its session. */
let opened: Open | null = null;

export function registerSession(): void {
  onOpen((open: Open): string | null => {
    opened = open;
    return null;
  });
  onExec("log", (_call: Call, request: ExecRequest): ExecResult => {
    for (let i = 0, n = request.command.length; i < n; i++) log.write(i % 4, request.command[i]);
    return new ExecResult();
  });
  onExec("config", config);
  onExec("setting", (call: Call, request: ExecRequest): ExecResult =>
    request.command.length == 1
      ? ExecResult.stdout(call.config.text(request.command[0], "main"))
      : fail<ExecResult>("setting takes one part"));
  onExec("session", session);
  onExec("extension", extension);
}

function config(call: Call, _request: ExecRequest): ExecResult {
  const r = new Rendering();
  const keys = call.config.keys();
  for (let i = 0, n = keys.length; i < n; i++) r.text(keys[i], renderValue(call.config.value(keys[i])!));
  return ExecResult.stdout(r.toString());
}

function session(call: Call, _request: ExecRequest): ExecResult {
  const open = opened;
  if (open === null) return fail<ExecResult>("the session isn't open");
  const r = new Rendering();
  r.uint("seed", open.seed);
  r.int("start_time_ns", open.startTimeNs);
  r.uint("inline_bytes", open.limits.inlineBytes);
  r.uint("reply_bytes", open.limits.replyBytes);
  r.uint("log_bytes", open.limits.logBytes);
  r.uint("blob_bytes", open.limits.blobBytes);
  r.uint("index", call.index);
  r.int("time_ns", call.timeNs);
  return ExecResult.stdout(r.toString());
}

/** Asks for an extension that no host has. */
function extension(_call: Call, _request: ExecRequest): ExecResult {
  const argument = memory.data<u8>([0x78]); // x
  return ExecResult.stdout(hostExtension(7, argument, 1).toString());
}
