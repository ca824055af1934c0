import { Content } from "./abi/content";
import { Stream } from "./abi/stream";

/** Reads content in pieces, so that it needn't fit into the guest's memory. */
export class ContentReader {
  /** Where the next read starts, in bytes from the start. It may be set. */
  offset: u64 = 0;

  constructor(public readonly content: Content) {}

  /** Reads a stream from its position on. */
  static ofStream(stream: Stream): ContentReader {
    const r = new ContentReader(stream.content);
    r.offset = stream.position;
    return r;
  }

  /** Fills the buffer, and returns how many bytes it got: fewer at the end, 0 past it, -1 when the call fails. */
  read(buffer: Uint8Array): i32 {
    const n = this.content.readInto(this.offset, buffer.dataStart, buffer.length);
    if (n > 0) this.offset += n;
    return n;
  }
}
