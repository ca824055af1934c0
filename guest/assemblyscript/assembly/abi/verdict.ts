import { Decoder } from "./decoder";
import { Encoder } from "./encoder";

enum Answer {
  None = 0,
  Accept = 1,
  Reject = 2,
}

/** What differs between the call expected and the call made. */
export class Difference {
  /** @param field for example args[0] or kwargs.timeout */
  constructor(
    public field: string,
    public expected: string,
    public actual: string,
  ) {}

  encode(e: Encoder): void {
    e.text(1, this.field);
    e.text(2, this.expected);
    e.text(3, this.actual);
  }

  decode(d: Decoder): void {
    const outer = d.enter();
    while (d.next()) {
      switch (d.field) {
        case 1: this.field = d.text(); break;
        case 2: this.expected = d.text(); break;
        case 3: this.actual = d.text(); break;
        default: d.skip();
      }
    }
    d.leave(outer);
  }
}

/** What a matcher says of a call. All but an explicit rejection accept. */
export class Verdict {
  reason: string = "";
  differences: Difference[] = [];
  /** Why the matcher couldn't find out, or null. */
  failure: string | null = null;
  private answer: Answer = Answer.None;

  /** The call is the one expected. */
  static accept(): Verdict {
    const v = new Verdict();
    v.answer = Answer.Accept;
    return v;
  }

  /** The call isn't the one expected. */
  static reject(reason: string): Verdict {
    const v = new Verdict();
    v.answer = Answer.Reject;
    v.reason = reason;
    return v;
  }

  /** No answer, which accepts. */
  static undecided(): Verdict {
    return new Verdict();
  }

  /** The matcher couldn't find out, which is reported as a failure of the guest. */
  static fail(reason: string): Verdict {
    const v = new Verdict();
    v.failure = reason;
    return v;
  }

  /** Adds a difference. */
  differ(field: string, expected: string, actual: string): Verdict {
    this.differences.push(new Difference(field, expected, actual));
    return this;
  }

  encode(e: Encoder): void {
    e.uint(1, this.answer);
    e.text(2, this.reason);
    for (let i = 0, n = this.differences.length; i < n; i++) {
      const mark = e.open(3);
      this.differences[i].encode(e);
      e.close(mark);
    }
  }

  decode(d: Decoder): void {
    const outer = d.enter();
    while (d.next()) {
      switch (d.field) {
        case 1: this.answer = d.enumeration(Answer.Reject); break;
        case 2: this.reason = d.text(); break;
        case 3: {
          const difference = new Difference("", "", "");
          difference.decode(d);
          this.differences.push(difference);
          break;
        }
        default: d.skip();
      }
    }
    d.leave(outer);
  }
}
