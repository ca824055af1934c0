import {
  Call,
  Content,
  ContentReader,
  ContentWriter,
  Done,
  ExecRequest,
  ExecResult,
  ReadRequest,
  Stream,
  WriteRequest,
  fail,
  log,
  onExec,
  onRead,
  onWrite,
} from "../assembly";
import { hostBlobLen } from "../assembly/imports";
import { isNumber } from "./number";

export function registerContent(): void {
  onWrite("checksum", checksum);
  onWrite("blob_len", blobLen);
  onRead("generate", generate);
  onExec("big", big);
}

/** Reads content in pieces. */
function checksum(_call: Call, request: WriteRequest): Done {
  const reader = new ContentReader(request.data.content);
  const buffer = new Uint8Array(4096);
  let hash: u32 = 0x811c9dc5;
  for (let n = reader.read(buffer); n > 0; n = reader.read(buffer)) {
    for (let i = 0; i < n; i++) hash = (hash ^ unchecked(buffer[i])) * 0x01000193;
  }
  log.info(
    "size=" + request.data.content.size.toString() + " position=" + request.data.position.toString() +
      " text=" + (request.data.isText ? "1" : "0") + " fnv=" + hash.toString(),
  );
  return new Done();
}

/** Logs what the host says of the length of content that it holds. */
function blobLen(_call: Call, request: WriteRequest): Done {
  const handle = request.data.content.handle;
  log.info(handle == 0 ? "inline" : hostBlobLen(handle).toString());
  return new Done();
}

/** Writes content in pieces. */
function generate(call: Call, request: ReadRequest): Stream {
  if (!isNumber(request.path)) return fail<Stream>("not a number: " + request.path);
  const lines = I32.parseInt(request.path);
  const writer = new ContentWriter();
  for (let i = 0; i < lines && !call.failed; i++) {
    writer.writeNumber(i);
    writer.writeByte(0x0a);
  }
  return Stream.of(writer.content());
}

/** Returns outputs that were made in memory. */
function big(_call: Call, request: ExecRequest): ExecResult {
  const command = request.command;
  if (command.length != 3) return fail<ExecResult>("big takes three numbers");
  for (let i = 0; i < 3; i++) {
    if (!isNumber(command[i])) return fail<ExecResult>("not a number: " + command[i]);
  }
  const result = new ExecResult();
  result.stdout = letters(I32.parseInt(command[0]));
  result.stderr = letters(I32.parseInt(command[1]));
  result.exitCode = I32.parseInt(command[2]);
  return result;
}

function letters(n: i32): Content {
  const bytes = new Uint8Array(n);
  for (let i = 0; i < n; i++) unchecked((bytes[i] = <u8>(0x61 + (i % 26))));
  return Content.ofBytes(bytes);
}
