import {
  ApplyPatchRequest,
  Call,
  Content,
  DIRECTORY_BIT,
  Done,
  Entry,
  ExecRequest,
  ExecResult,
  FileEntry,
  FileKind,
  Listing,
  Method,
  PtyExecStartRequest,
  PtyUpdate,
  PtyWriteStdinRequest,
  Result,
  SandboxError,
  Stream,
  Text,
  Value,
  fail,
  raise,
} from "../assembly";

/** Returns a result with all that the method's can have. */
export function results(call: Call): Result {
  switch (call.method) {
    case Method.ApplyPatch:
      return new Text("patched " + (call.request as ApplyPatchRequest).operations.length.toString());
    case Method.Exec: {
      const result = ExecResult.exit(3, "err\n");
      result.stdout = Content.of("out\n");
      return result;
    }
    case Method.Ls:
      return new Listing([
        new FileEntry("src", 0o755 | DIRECTORY_BIT, 4096, FileKind.Directory).ownedBy("root", "staff"),
        new FileEntry("a.txt", 0o644, 5).ownedBy("root", "staff"),
        new FileEntry("link", 0o777, 0, FileKind.Symlink),
        new FileEntry("fifo", 0o600, 0, FileKind.Other).ownedBy("u", "g"),
      ]);
    case Method.PtyExecStart: return PtyUpdate.running(7, "$ ").setOriginalTokenCount(u64.MAX_VALUE);
    case Method.PtyWriteStdin: return PtyUpdate.finished(-1, "bye");
    case Method.Read: {
      const stream = Stream.text("hello");
      stream.position = 2;
      return stream;
    }
    default: return new Done();
  }
}

/** Returns a result with nothing in it. */
export function empty(call: Call): Result {
  switch (call.method) {
    case Method.ApplyPatch: return new Text();
    case Method.Exec: return new ExecResult();
    case Method.Ls: return new Listing();
    case Method.PtyExecStart:
    case Method.PtyWriteStdin: return new PtyUpdate();
    case Method.Read: return new Stream();
    default: return new Done();
  }
}

/** Returns the sandbox error that the command's five parts describe. */
export function raiseError(_call: Call, request: ExecRequest): ExecResult {
  const c = request.command;
  if (c.length != 5) return fail<ExecResult>("raise takes five parts");
  const error = new SandboxError(c[0]).withOp(c[1]).withMessage(c[2]);
  if (c[3] != "unknown") error.withRetryable(c[3] == "yes");
  if (c[4] == "full") addContext(error);
  return raise<ExecResult>(error);
}

function addContext(error: SandboxError): void {
  const bytes = new Uint8Array(2);
  bytes[1] = 0xff;
  error
    .with("bool", Value.bool(true))
    .with("bytes", Value.data(bytes))
    .withInt("int", -5)
    .with("list", Value.list([Value.NULL, Value.bool(false), Value.int(7), Value.text("x")]))
    .with("map", Value.map([new Entry("a", Value.map([new Entry("b", Value.text("c"))]))]))
    .withInt("max", i64.MAX_VALUE)
    .withInt("min", i64.MIN_VALUE)
    .with("null", Value.NULL)
    .withText("text", "é");
}

export function startShell(_call: Call, request: PtyExecStartRequest): PtyUpdate {
  const update = PtyUpdate.running(7, "$ ");
  return request.maxOutputTokens == 0 ? update : update.setOriginalTokenCount(12);
}

export function writeShell(_call: Call, request: PtyWriteStdinRequest): PtyUpdate {
  if (request.chars == "exit\n") return PtyUpdate.finished(0, "bye\n");
  return PtyUpdate.running(request.sessionId, request.chars);
}
