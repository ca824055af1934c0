import { Decoder } from "./decoder";
import { Encoder } from "./encoder";
import { Method } from "./method";
import { PtyUpdate } from "./pty_update";
import { Result } from "./result";
import { Done, ExecResult, Listing, Text } from "./results";
import { SandboxError } from "./sandbox_error";
import { Stream } from "./stream";

const TEXT: u32 = 5;
const ERROR: u32 = 7;

/** How a responder answers: a result or a sandbox error. */
export class Outcome {
  result: Result | null = null;
  error: SandboxError | null = null;

  /** Whether neither is set. */
  get empty(): bool {
    return this.result === null && this.error === null;
  }

  encode(e: Encoder): void {
    const error = this.error;
    const result = this.result;
    if (error !== null) {
      const mark = e.open(ERROR);
      error.encode(e);
      e.close(mark);
    } else if (result !== null) {
      if (result.outcomeField == TEXT) {
        result.encode(e);
        return;
      }
      const mark = e.open(result.outcomeField);
      result.encode(e);
      e.close(mark);
    }
  }

  /** Reads an outcome. Of its members the last counts; one that repeats is merged. */
  decode(d: Decoder): void {
    const outer = d.enter();
    while (d.next()) {
      if (d.field == ERROR) {
        let error = this.error;
        if (error === null) error = new SandboxError("");
        error.decode(d);
        this.error = error;
        this.result = null;
        continue;
      }
      let result = this.result;
      if (result === null || result.outcomeField != d.field) result = newResult(d.field);
      if (result === null) {
        d.skip();
        continue;
      }
      result.decode(d);
      this.result = result;
      this.error = null;
    }
    d.leave(outer);
  }
}

function newResult(field: u32): Result | null {
  switch (field) {
    case 1: return new Done();
    case 2: return new ExecResult();
    case 3: return new Stream();
    case 4: return new Listing();
    case 5: return new Text();
    case 6: return new PtyUpdate();
    default: return null;
  }
}

/** The number that the result of the method has in Outcome. */
export function outcomeFieldOf(method: Method): u32 {
  switch (method) {
    case Method.Exec: return 2;
    case Method.Read: return 3;
    case Method.Ls: return 4;
    case Method.ApplyPatch: return 5;
    case Method.PtyExecStart:
    case Method.PtyWriteStdin: return 6;
    default: return 1;
  }
}
