import { Decoder } from "./decoder";
import { Encoder } from "./encoder";
import { Method } from "./method";
import { Request } from "./request";

export enum ShellMode {
  /** The command is wrapped in the default login shell. */
  Default = 0,
  /** The command's parts are run as they are. */
  Off = 1,
  /** The command is wrapped in argv. */
  Argv = 2,
}

/** The shell that a command is to run in. */
export class Shell {
  /** What requests without a shell share. Don't change it. */
  static readonly DEFAULT: Shell = new Shell();

  mode: ShellMode = ShellMode.Default;
  argv: string[] = [];

  /** Writes the shell as a field, unless it is the default one. */
  encode(e: Encoder, field: u32): void {
    if (this.mode == ShellMode.Default && this.argv.length == 0) return;
    const mark = e.open(field);
    e.uint(1, this.mode);
    for (let i = 0, n = this.argv.length; i < n; i++) e.setRaw(2, this.argv[i]);
    e.close(mark);
  }

  decode(d: Decoder): void {
    const outer = d.enter();
    while (d.next()) {
      switch (d.field) {
        case 1: this.mode = d.enumeration(ShellMode.Argv); break;
        case 2: this.argv.push(d.raw()); break;
        default: d.skip();
      }
    }
    d.leave(outer);
  }
}

/** A command to run. */
export class ExecRequest extends Request {
  command: string[] = [];
  /** In nanoseconds; 0: none. */
  timeoutNs: i64 = 0;
  shell: Shell = Shell.DEFAULT;
  /** "": none. */
  user: string = "";

  get method(): Method {
    return Method.Exec;
  }

  encode(e: Encoder): void {
    for (let i = 0, n = this.command.length; i < n; i++) e.setRaw(1, this.command[i]);
    e.uint(2, this.timeoutNs);
    this.shell.encode(e, 3);
    e.text(4, this.user);
  }

  protected decodeField(d: Decoder): void {
    switch (d.field) {
      case 1: this.command.push(d.raw()); break;
      case 2: this.timeoutNs = d.uint64(); break;
      case 3:
        if (this.shell === Shell.DEFAULT) this.shell = new Shell();
        this.shell.decode(d);
        break;
      case 4: this.user = d.text(); break;
      default: d.skip();
    }
  }
}

/** A command to start on a pseudo-terminal, which may go on running. */
export class PtyExecStartRequest extends ExecRequest {
  tty: bool = false;
  /** In nanoseconds; 0: not given. */
  yieldTimeNs: i64 = 0;
  /** 0: not given. */
  maxOutputTokens: i64 = 0;

  get method(): Method {
    return Method.PtyExecStart;
  }

  encode(e: Encoder): void {
    super.encode(e);
    e.bool(5, this.tty);
    e.uint(6, this.yieldTimeNs);
    e.uint(7, this.maxOutputTokens);
  }

  protected decodeField(d: Decoder): void {
    switch (d.field) {
      case 5: this.tty = d.bool(); break;
      case 6: this.yieldTimeNs = d.uint64(); break;
      case 7: this.maxOutputTokens = d.uint64(); break;
      default: super.decodeField(d);
    }
  }
}

/** Input for a process on a pseudo-terminal. */
export class PtyWriteStdinRequest extends Request {
  sessionId: i64 = 0;
  chars: string = "";
  /** In nanoseconds; 0: not given. */
  yieldTimeNs: i64 = 0;
  /** 0: not given. */
  maxOutputTokens: i64 = 0;

  get method(): Method {
    return Method.PtyWriteStdin;
  }

  encode(e: Encoder): void {
    e.uint(1, this.sessionId);
    e.raw(2, this.chars);
    e.uint(3, this.yieldTimeNs);
    e.uint(4, this.maxOutputTokens);
  }

  protected decodeField(d: Decoder): void {
    switch (d.field) {
      case 1: this.sessionId = d.uint64(); break;
      case 2: this.chars = d.raw(); break;
      case 3: this.yieldTimeNs = d.uint64(); break;
      case 4: this.maxOutputTokens = d.uint64(); break;
      default: d.skip();
    }
  }
}
