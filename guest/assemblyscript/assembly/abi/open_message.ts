import { Decoder } from "./decoder";
import { Encoder } from "./encoder";
import { Entry, encodeEntries } from "./value";

/** The host's limits, in bytes; 0: not told. */
export class Limits {
  /** Content longer than this travels as a blob; the SDK sees to that. */
  inlineBytes: u64 = 0;
  /** The longest reply that the host takes. */
  replyBytes: u64 = 0;
  /** The log text that is kept of a call. */
  logBytes: u64 = 0;
  /** What a guest may write into blobs in a call. */
  blobBytes: u64 = 0;

  encode(e: Encoder, field: u32): void {
    if ((this.inlineBytes | this.replyBytes | this.logBytes | this.blobBytes) == 0) return;
    const mark = e.open(field);
    e.uint(1, this.inlineBytes);
    e.uint(2, this.replyBytes);
    e.uint(3, this.logBytes);
    e.uint(4, this.blobBytes);
    e.close(mark);
  }

  decode(d: Decoder): void {
    const outer = d.enter();
    while (d.next()) {
      switch (d.field) {
        case 1: this.inlineBytes = d.uint64(); break;
        case 2: this.replyBytes = d.uint64(); break;
        case 3: this.logBytes = d.uint64(); break;
        case 4: this.blobBytes = d.uint64(); break;
        default: d.skip();
      }
    }
    d.leave(outer);
  }
}

/** The message that starts a session. */
export class OpenMessage {
  config: Entry[] = [];
  seed: u64 = 0;
  startTimeNs: i64 = 0;
  limits: Limits = new Limits();

  encode(e: Encoder): void {
    encodeEntries(e, 1, this.config);
    e.uint(2, this.seed);
    e.uint(3, this.startTimeNs);
    this.limits.encode(e, 4);
  }

  decode(d: Decoder): void {
    while (d.next()) {
      switch (d.field) {
        case 1: this.config.push(Entry.decode(d)); break;
        case 2: this.seed = d.uint64(); break;
        case 3: this.startTimeNs = d.uint64(); break;
        case 4: this.limits.decode(d); break;
        default: d.skip();
      }
    }
  }
}
