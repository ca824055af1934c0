import { Decoder } from "./decoder";
import { Description } from "./description";
import { Encoder } from "./encoder";
import { Outcome } from "./outcome";
import { Verdict } from "./verdict";

export enum GuestErrorKind {
  Unspecified = 0,
  HandlerFailed = 1,
  UnknownHandler = 2,
  BadMessage = 3,
  BadConfig = 4,
  UnsupportedMethod = 5,
}

/** That the guest has no answer. */
export class GuestError {
  constructor(
    public kind: GuestErrorKind = GuestErrorKind.Unspecified,
    public message: string = "",
  ) {}

  encode(e: Encoder): void {
    e.uint(1, this.kind);
    e.text(2, this.message);
  }

  decode(d: Decoder): void {
    const outer = d.enter();
    while (d.next()) {
      switch (d.field) {
        case 1: this.kind = d.enumeration(GuestErrorKind.UnsupportedMethod); break;
        case 2: this.message = d.text(); break;
        default: d.skip();
      }
    }
    d.leave(outer);
  }
}

/** What every export answers. One of the members is set. */
export class Reply {
  description: Description | null = null;
  verdict: Verdict | null = null;
  outcome: Outcome | null = null;
  error: GuestError | null = null;
  done: bool = false;

  /** Leaves no member set. */
  clear(): void {
    this.description = null;
    this.verdict = null;
    this.outcome = null;
    this.error = null;
    this.done = false;
  }

  encode(e: Encoder): void {
    const description = this.description;
    const verdict = this.verdict;
    const outcome = this.outcome;
    const error = this.error;
    let mark: usize = 0;
    if (description !== null) {
      mark = e.open(1);
      description.encode(e);
    } else if (verdict !== null) {
      mark = e.open(2);
      verdict.encode(e);
    } else if (outcome !== null) {
      mark = e.open(3);
      outcome.encode(e);
    } else if (error !== null) {
      mark = e.open(4);
      error.encode(e);
    } else if (this.done) {
      mark = e.open(5);
    } else return;
    e.close(mark);
  }

  /** Reads a reply. Of its members the last counts; one that repeats is merged. */
  decode(d: Decoder): void {
    while (d.next()) {
      switch (d.field) {
        case 1: {
          const m = this.description === null ? new Description() : this.description!;
          m.decode(d);
          this.clear();
          this.description = m;
          break;
        }
        case 2: {
          const m = this.verdict === null ? new Verdict() : this.verdict!;
          m.decode(d);
          this.clear();
          this.verdict = m;
          break;
        }
        case 3: {
          const m = this.outcome === null ? new Outcome() : this.outcome!;
          m.decode(d);
          this.clear();
          this.outcome = m;
          break;
        }
        case 4: {
          const m = this.error === null ? new GuestError() : this.error!;
          m.decode(d);
          this.clear();
          this.error = m;
          break;
        }
        case 5:
          d.empty();
          this.clear();
          this.done = true;
          break;
        default: d.skip();
      }
    }
    if (!this.complete) d.missing();
  }

  /** Whether a member is set, and an outcome has one, and a sandbox error a code. */
  private get complete(): bool {
    const outcome = this.outcome;
    if (outcome === null) return this.done || this.description !== null || this.verdict !== null || this.error !== null;
    const error = outcome.error;
    return error === null ? !outcome.empty : error.code.length != 0;
  }
}
