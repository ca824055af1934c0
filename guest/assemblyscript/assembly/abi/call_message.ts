import { ApplyPatchRequest } from "./apply_patch_request";
import { Decoder } from "./decoder";
import { Encoder } from "./encoder";
import { ExecRequest, PtyExecStartRequest, PtyWriteStdinRequest } from "./exec_request";
import { LsRequest, MkdirRequest, ReadRequest, RmRequest, WriteRequest } from "./file_request";
import { Method } from "./method";
import { Request } from "./request";

/** The message of a call. */
export class CallMessage {
  index: u64 = 0;
  timeNs: i64 = 0;
  request: Request | null = null;

  encode(e: Encoder): void {
    e.uint(1, this.index);
    e.uint(2, this.timeNs);
    const request = this.request;
    if (request === null) return;
    const mark = e.open(request.method);
    request.encode(e);
    e.close(mark);
  }

  /** Replaces all by what the decoder has. */
  decode(d: Decoder): void {
    this.index = 0;
    this.timeNs = 0;
    let current: Request | null = null;
    while (d.next()) {
      switch (d.field) {
        case 1: this.index = d.uint64(); break;
        case 2: this.timeNs = d.uint64(); break;
        default: {
          // A request of the same method is completed, any other replaced.
          const request = current !== null && <u32>current.method == d.field ? current : newRequest(d.field);
          if (request === null) {
            d.skip();
            break;
          }
          request.decode(d);
          current = request;
        }
      }
    }
    if (current === null) d.missing();
    this.request = current;
  }
}

function newRequest(field: u32): Request | null {
  switch (field) {
    case Method.ApplyPatch: return new ApplyPatchRequest();
    case Method.Exec: return new ExecRequest();
    case Method.Ls: return new LsRequest();
    case Method.Mkdir: return new MkdirRequest();
    case Method.PtyExecStart: return new PtyExecStartRequest();
    case Method.PtyWriteStdin: return new PtyWriteStdinRequest();
    case Method.Read: return new ReadRequest();
    case Method.Rm: return new RmRequest();
    case Method.Write: return new WriteRequest();
    default: return null;
  }
}
