import { Decoder } from "./decoder";
import { Encoder } from "./encoder";
import { Entry, Value, encodeEntries, entriesDeeperThan, setEntry, MAX_DEPTH } from "./value";

export enum Retryable {
  Unknown = 0,
  No = 1,
  Yes = 2,
}

/** The error of a sandbox, which the session's caller gets. */
export class SandboxError {
  /** What it is about: "" is the code's own. */
  op: string = "";
  /** For people: "" is the code's own. */
  message: string = "";
  /** Ascending by key. */
  context: Entry[] = [];
  retryable: Retryable = Retryable.Unknown;

  /** @param code one of Code, or one that the session's caller knows; not empty */
  constructor(public code: string) {}

  /** Adds a value to the context; one of the same key is replaced. */
  with(key: string, value: Value): SandboxError {
    setEntry(this.context, key, value);
    return this;
  }

  withText(key: string, text: string): SandboxError {
    return this.with(key, Value.text(text));
  }

  withInt(key: string, n: i64): SandboxError {
    return this.with(key, Value.int(n));
  }

  withOp(op: string): SandboxError {
    this.op = op;
    return this;
  }

  withMessage(message: string): SandboxError {
    this.message = message;
    return this;
  }

  withRetryable(retryable: bool): SandboxError {
    this.retryable = retryable ? Retryable.Yes : Retryable.No;
    return this;
  }

  /** Why no message can carry it, or null. */
  get defect(): string | null {
    if (this.code.length == 0) return "the handler returned a sandbox error without a code";
    if (entriesDeeperThan(this.context, MAX_DEPTH)) return "the context of a sandbox error nests more than 64 deep";
    return null;
  }

  encode(e: Encoder): void {
    e.text(1, this.code);
    e.text(2, this.op);
    e.text(3, this.message);
    encodeEntries(e, 4, this.context);
    e.uint(5, this.retryable);
  }

  decode(d: Decoder): void {
    const outer = d.enter();
    while (d.next()) {
      switch (d.field) {
        case 1: this.code = d.text(); break;
        case 2: this.op = d.text(); break;
        case 3: this.message = d.text(); break;
        case 4: this.context.push(Entry.decode(d)); break;
        case 5: this.retryable = d.enumeration(Retryable.Yes); break;
        default: d.skip();
      }
    }
    d.leave(outer);
  }
}
