// asconfig.json names it, so it has to be part of every guest.
export { abort } from "./abort";

export { ApplyPatchRequest, PatchOperation } from "./abi/apply_patch_request";
export { Code } from "./abi/code";
export { Blob, Content } from "./abi/content";
export { ExecRequest, PtyExecStartRequest, PtyWriteStdinRequest, Shell, ShellMode } from "./abi/exec_request";
export { LsRequest, MkdirRequest, ReadRequest, RmRequest, WriteRequest } from "./abi/file_request";
export { Method, methodName } from "./abi/method";
export { Limits } from "./abi/open_message";
export { PtyUpdate } from "./abi/pty_update";
export { Request } from "./abi/request";
export { Result, fail, raise } from "./abi/result";
export { DIRECTORY_BIT, Done, ExecResult, FileEntry, FileKind, Listing, Text } from "./abi/results";
export { Retryable, SandboxError } from "./abi/sandbox_error";
export { Stream } from "./abi/stream";
export { compareUtf8 } from "./abi/utf8";
export { Entry, Value, ValueKind } from "./abi/value";
export { Difference, Verdict } from "./abi/verdict";
export { Call } from "./call";
export { ContentReader } from "./content_reader";
export { ContentWriter } from "./content_writer";
export { SDK_VERSION, configSchema, describe, onClose, onOpen } from "./lifecycle";
export { log } from "./log";
export { Open } from "./open";
export {
  match,
  onApplyPatch,
  onExec,
  onLs,
  onMkdir,
  onPtyExecStart,
  onPtyWriteStdin,
  onRead,
  onRm,
  onWrite,
  respond,
} from "./registry";
export { Settings } from "./settings";
