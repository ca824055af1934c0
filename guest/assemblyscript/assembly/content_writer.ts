import { Blob, Content } from "./abi/content";
import { Encoder } from "./abi/encoder";
import { Session } from "./session";

/**
 * Makes content in pieces, and holds no more than about the inline limit of it:
 * the rest goes to the host. A writer belongs to the call it was made in. When
 * the host doesn't take what is written, the call fails, and a writer drops the
 * rest.
 */
export class ContentWriter {
  private buffer: Uint8Array = new Uint8Array(0);
  private used: i32 = 0;
  private blob: Blob | null = null;
  private epoch: u32 = Session.epoch;
  private broken: bool = false;

  /** Appends the bytes of a string, as UTF-8. */
  write(text: string): void {
    scratch.reset();
    scratch.append(text);
    this.append(scratch.start, scratch.length);
  }

  /** Appends a copy of the bytes. */
  writeBytes(bytes: Uint8Array): void {
    this.append(bytes.dataStart, bytes.length);
  }

  /** Appends a number in decimal, which makes no string. */
  writeNumber(n: i64): void {
    const end = memory.data(20) + 20;
    let start = end;
    let rest = n < 0 ? 0 - <u64>n : <u64>n;
    do {
      store<u8>(--start, 0x30 + <u32>(rest % 10));
      rest /= 10;
    } while (rest != 0);
    if (n < 0) store<u8>(--start, 0x2d);
    this.append(start, end - start);
  }

  /** Appends one byte. */
  writeByte(byte: u8): void {
    const place = memory.data(1);
    store<u8>(place, byte);
    this.append(place, 1);
  }

  /** All that was written. The writer must not be used afterwards. */
  content(): Content {
    const blob = this.blob;
    if (blob === null) return Content.ofBytes(this.buffer.subarray(0, this.used));
    this.flush();
    return Content.ofBlob(blob);
  }

  private append(ptr: usize, len: usize): void {
    if (this.broken) return;
    if (this.epoch != Session.epoch) {
      this.broken = true;
      Session.fail("the writer belongs to a call that has ended");
      return;
    }
    if (<u64>this.used + len > Session.inlineLimit) {
      this.flush();
      if (<u64>len > Session.inlineLimit) {
        this.send(ptr, len);
        return;
      }
    }
    if (this.broken) return;
    this.reserve(<i32>len);
    memory.copy(this.buffer.dataStart + this.used, ptr, len);
    this.used += <i32>len;
  }

  private reserve(n: i32): void {
    if (this.used + n <= this.buffer.length) return;
    const grown = new Uint8Array(max(this.used + n, max(this.buffer.length * 2, 256)));
    memory.copy(grown.dataStart, this.buffer.dataStart, this.used);
    this.buffer = grown;
  }

  private flush(): void {
    this.send(this.buffer.dataStart, this.used);
    this.used = 0;
  }

  private send(ptr: usize, len: usize): void {
    if (this.blob === null) this.blob = Blob.create();
    const blob = this.blob;
    if (blob === null || !blob.append(ptr, len)) this.broken = true;
  }
}

const scratch = new Encoder(256);
