import { Content } from "./content";
import { Decoder } from "./decoder";
import { Encoder } from "./encoder";
import { Result } from "./result";

/** The result of pty_exec_start and pty_write_stdin. */
export class PtyUpdate extends Result {
  output: Content = Content.NONE;
  private id: i64 = 0;
  private code: i32 = 0;
  private count: u64 = 0;
  private live: bool = false;
  private exited: bool = false;
  private counted: bool = false;

  /** Of a process that runs. */
  static running(processId: i64, output: string = ""): PtyUpdate {
    const u = new PtyUpdate();
    u.setProcessId(processId);
    u.output = Content.of(output);
    return u;
  }

  /** Of a process that has ended. */
  static finished(exitCode: i32, output: string = ""): PtyUpdate {
    const u = new PtyUpdate();
    u.setExitCode(exitCode);
    u.output = Content.of(output);
    return u;
  }

  setProcessId(id: i64): PtyUpdate {
    this.id = id;
    this.live = true;
    return this;
  }

  setExitCode(code: i32): PtyUpdate {
    this.code = code;
    this.exited = true;
    return this;
  }

  /** How many tokens the output had before it was cut. */
  setOriginalTokenCount(count: u64): PtyUpdate {
    this.count = count;
    this.counted = true;
    return this;
  }

  get outcomeField(): u32 {
    return 6;
  }

  encode(e: Encoder): void {
    if (this.live) e.setSint(1, this.id);
    this.output.encode(e, 2);
    if (this.exited) e.setSint(3, this.code);
    if (this.counted) e.setUint(4, this.count);
  }

  decode(d: Decoder): void {
    const outer = d.enter();
    while (d.next()) {
      switch (d.field) {
        case 1: this.setProcessId(d.sint64()); break;
        case 2: this.output = Content.decode(d, this.output); break;
        case 3: this.setExitCode(d.sint32()); break;
        case 4: this.setOriginalTokenCount(d.uint64()); break;
        default: d.skip();
      }
    }
    d.leave(outer);
  }
}
