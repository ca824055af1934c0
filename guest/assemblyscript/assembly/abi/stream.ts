import { Content } from "./content";
import { Decoder } from "./decoder";
import { Encoder } from "./encoder";
import { Result } from "./result";

/** A file-like value with a position. */
export class Stream extends Result {
  /** All of it, also what lies before the position. */
  content: Content = Content.NONE;
  /** In bytes from the start; may be past the end. */
  position: u64 = 0;
  /** Made of text, not of bytes. */
  isText: bool = false;

  static of(content: Content): Stream {
    const s = new Stream();
    s.content = content;
    return s;
  }

  /** A stream of text, at position 0. */
  static text(text: string): Stream {
    const s = Stream.of(Content.of(text));
    s.isText = true;
    return s;
  }

  /** A stream of bytes, at position 0. They aren't copied. */
  static bytes(bytes: Uint8Array): Stream {
    return Stream.of(Content.ofBytes(bytes));
  }

  /** A copy of the bytes from the position on; none when the call fails. */
  readAll(): Uint8Array {
    return this.content.bytes(this.position);
  }

  /** Whether the stream says nothing, so that a message leaves it out. */
  get empty(): bool {
    return this.content.empty && this.position == 0 && !this.isText;
  }

  get outcomeField(): u32 {
    return 3;
  }

  encode(e: Encoder): void {
    this.content.encode(e, 1);
    e.uint(2, this.position);
    e.bool(3, this.isText);
  }

  decode(d: Decoder): void {
    const outer = d.enter();
    while (d.next()) {
      switch (d.field) {
        case 1: this.content = Content.decode(d, this.content); break;
        case 2: this.position = d.uint64(); break;
        case 3: this.isText = d.bool(); break;
        default: d.skip();
      }
    }
    d.leave(outer);
  }
}
