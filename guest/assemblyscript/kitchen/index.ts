// The kitchen-sink guest in AssemblyScript: one guest that uses all of the ABI, for
// the conformance suite. ../../kitchen/README.md says what each handler does.

import {
  Call,
  ExecRequest,
  ExecResult,
  Open,
  ValueKind,
  configSchema,
  describe,
  fail,
  onExec,
  onOpen,
  onPtyExecStart,
  onPtyWriteStdin,
  respond,
} from "../assembly";
import { registerContent } from "./content";
import { registerMatchers } from "./matchers";
import { render } from "./render";
import { empty, raiseError, results, startShell, writeShell } from "./results";
import { registerSession } from "./session";
import { registerStore } from "./store";

describe("kitchen-sink", "1.0.0");
configSchema('{"type":"object"}');
onOpen((open: Open): string | null => {
  const depth = open.config.value("depth");
  return depth !== null && depth.kind == ValueKind.Int && depth.int > 9 ? "depth is at most 9" : null;
});

respond("render", render);
respond("results", results);
respond("empty", empty);
onExec("raise", raiseError);
registerStore();
registerContent();
registerSession();
onPtyExecStart("shell", startShell);
onPtyWriteStdin("shell", writeShell);
onExec("broken", (_call: Call, _request: ExecRequest): ExecResult => fail<ExecResult>("it's broken"));
onExec("panic", (_call: Call, _request: ExecRequest): ExecResult => {
  throw new Error("deliberate panic");
});
registerMatchers();

export * from "../assembly/exports";
