import {
  Call,
  Code,
  Done,
  ExecRequest,
  ExecResult,
  FileEntry,
  Listing,
  LsRequest,
  MkdirRequest,
  ReadRequest,
  RmRequest,
  SandboxError,
  Stream,
  WriteRequest,
  compareUtf8,
  log,
  onExec,
  onLs,
  onMkdir,
  onRead,
  onRm,
  onWrite,
  raise,
} from "../assembly";

// What the guest remembers.
const files = new Map<string, Uint8Array>();
let calls: i32 = 0;

export function registerStore(): void {
  onRead("store", readFile);
  onWrite("store", writeFile);
  onRm("store", (_call: Call, request: RmRequest): Done => {
    files.delete(request.path);
    return new Done();
  });
  onLs("store", listFiles);
  onMkdir("store", (_call: Call, _request: MkdirRequest): Done =>
    raise<Done>(new SandboxError(Code.WorkspaceArchiveWrite)));
  onExec("count", (_call: Call, _request: ExecRequest): ExecResult => {
    calls++;
    log.debug("call " + calls.toString());
    return ExecResult.exit(calls);
  });
}

function readFile(_call: Call, request: ReadRequest): Stream {
  if (files.has(request.path)) return Stream.bytes(files.get(request.path));
  return raise<Stream>(new SandboxError(Code.WorkspaceReadNotFound).withText("path", request.path));
}

function writeFile(call: Call, request: WriteRequest): Done {
  const data = request.data.readAll();
  if (!call.failed) files.set(request.path, data);
  return new Done();
}

function listFiles(_call: Call, _request: LsRequest): Listing {
  const paths = files.keys();
  paths.sort(compareUtf8);
  const entries = new Array<FileEntry>();
  for (let i = 0, n = paths.length; i < n; i++) {
    entries.push(new FileEntry(paths[i], 0o644, files.get(paths[i]).length));
  }
  return new Listing(entries);
}
