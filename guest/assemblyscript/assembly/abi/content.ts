import { Decoder } from "./decoder";
import { Encoder } from "./encoder";
import { Reason } from "./reason";
import { bytesOf, decodeUtf8 } from "./utf8";
import { hostBlobNew, hostBlobRead, hostBlobWrite } from "../imports";
import { Session } from "../session";

const EXPIRED = "the content belongs to a call that has ended";
const MAX_READ_ALL: u64 = 1 << 30;

const NO_BYTES: Uint8Array = new Uint8Array(0);

/** Content that the host keeps. */
export class Blob {
  handle: u32 = 0;
  /** In bytes. */
  size: u64 = 0;
  /** 32 bytes, or none if they aren't known. */
  sha256: Uint8Array = NO_BYTES;

  encode(e: Encoder, field: u32): void {
    const mark = e.open(field);
    e.uint(1, this.handle);
    e.uint(2, this.size);
    e.bytes(3, this.sha256);
    e.close(mark);
  }

  decode(d: Decoder): void {
    const outer = d.enter();
    while (d.next()) {
      switch (d.field) {
        case 1: this.handle = d.uint32(); break;
        case 2: this.size = d.uint64(); break;
        case 3: {
          this.sha256 = d.bytes();
          const n = this.sha256.length;
          if (n != 0 && n != 32) d.fail(Reason.Digest);
          break;
        }
        default: d.skip();
      }
    }
    d.leave(outer);
  }

  /** Appends the bytes. When that fails, so does the call. */
  append(ptr: usize, len: usize): bool {
    while (len > 0) {
      const n = Session.count("blob_write", hostBlobWrite(this.handle, ptr, len));
      if (n < 0) return false;
      if (n == 0 || <usize>n > len) {
        Session.fail("blob_write: " + n.toString() + " bytes written of " + len.toString());
        return false;
      }
      this.size += n;
      ptr += n;
      len -= n;
    }
    return true;
  }

  /** Makes an empty blob, or null. When that fails, so does the call. */
  static create(): Blob | null {
    const handle = Session.count("blob_new", hostBlobNew());
    if (handle < 0) return null;
    const blob = new Blob();
    blob.handle = handle;
    return blob;
  }
}

/**
 * The bytes of a file or of an output. Content of a call is valid until its
 * handler returns; reading or returning it later lets that call fail. Content
 * that a guest makes is valid as long as it is kept.
 */
export class Content {
  /** Content without bytes. */
  static readonly NONE: Content = new Content();

  private blob: Blob | null = null; // not null: the fields below aren't used
  private ptr: usize = 0;
  private len: usize = 0;
  private owner: ArrayBuffer | null = null; // of the bytes at ptr; null: the input buffer
  private epoch: u32 = 0; // of the call it lives in; 0: the guest's own

  /** The bytes of a string, as UTF-8. */
  static of(text: string): Content {
    return text.length == 0 ? Content.NONE : Content.ofBytes(bytesOf(text));
  }

  /** Bytes, which aren't copied: don't change them before the handler has returned. */
  static ofBytes(bytes: Uint8Array): Content {
    const c = new Content();
    c.owner = bytes.buffer;
    c.ptr = bytes.dataStart;
    c.len = bytes.length;
    return c;
  }

  /** Content of the current call that the host keeps. */
  static ofBlob(blob: Blob): Content {
    const c = new Content();
    c.blob = blob;
    c.epoch = Session.epoch;
    return c;
  }

  /** The length in bytes. */
  get size(): u64 {
    const blob = this.blob;
    return blob === null ? this.len : blob.size;
  }

  /** Whether there are no bytes and no blob. */
  get empty(): bool {
    return this.blob === null && this.len == 0;
  }

  /** The SHA-256 that came with content that the host keeps; null if it is inline. */
  get sha256(): Uint8Array | null {
    const blob = this.blob;
    return blob === null || blob.sha256.length == 0 || this.expired ? null : blob.sha256;
  }

  /** The handle of content that the host keeps, or 0 if it is inline. */
  get handle(): u32 {
    const blob = this.blob;
    return blob === null || this.expired ? 0 : blob.handle;
  }

  private get expired(): bool {
    return this.epoch != 0 && this.epoch != Session.epoch;
  }

  /**
   * Copies up to `len` bytes from `offset` on to memory at `to`, and returns how
   * many: fewer at the end of the content, -1 when the call fails.
   */
  readInto(offset: u64, to: usize, len: usize): i32 {
    if (this.expired) {
      Session.fail(EXPIRED);
      return -1;
    }
    if (offset >= this.size) return 0;
    const n = <usize>min<u64>(min<u64>(len, this.size - offset), i32.MAX_VALUE);
    const blob = this.blob;
    if (blob === null) {
      memory.copy(to, this.ptr + <usize>offset, n);
      return <i32>n;
    }
    let done: usize = 0;
    while (done < n) {
      const got = Session.count("blob_read", hostBlobRead(blob.handle, offset + done, to + done, n - done));
      if (got < 0) return -1;
      if (got == 0 || <usize>got > n - done) {
        Session.fail("blob_read: the content ends too early");
        return -1;
      }
      done += got;
    }
    return <i32>n;
  }

  /** A copy of the bytes from `offset` on; none when the call fails. */
  bytes(offset: u64 = 0): Uint8Array {
    const left = offset < this.size ? this.size - offset : 0;
    if (left > MAX_READ_ALL) {
      Session.fail("the content is too large to be read at once");
      return NO_BYTES;
    }
    const all = new Uint8Array(<i32>left);
    return this.readInto(offset, all.dataStart, <usize>left) < 0 ? NO_BYTES : all;
  }

  /** The bytes from `offset` on as a string; none when the call fails. */
  text(offset: u64 = 0): string {
    const all = this.bytes(offset);
    return decodeUtf8(all.dataStart, all.length);
  }

  /** Writes the content as a field, unless it is empty. What is too long goes to a blob first. */
  encode(e: Encoder, field: u32): void {
    if (this.expired) {
      Session.fail(EXPIRED);
      return;
    }
    if (this.empty) return;
    let blob = this.blob;
    if (blob === null && <u64>this.len > Session.inlineLimit) {
      blob = Blob.create();
      if (blob === null || !blob.append(this.ptr, this.len)) return;
    }
    const mark = e.open(field);
    if (blob !== null) blob.encode(e, 2);
    else e.setSpan(1, this.ptr, this.len);
    e.close(mark);
  }

  /**
   * Reads content that merges with what an earlier occurrence of the field had.
   * Inline bytes aren't copied: they lie in the input buffer.
   */
  static decode(d: Decoder, earlier: Content): Content {
    const c = new Content();
    c.epoch = Session.epoch;
    c.blob = earlier.blob;
    c.ptr = earlier.ptr;
    c.len = earlier.len;
    const outer = d.enter();
    while (d.next()) {
      switch (d.field) {
        case 1:
          c.blob = null;
          c.len = d.span();
          c.ptr = d.cursor - c.len;
          break;
        case 2: {
          let blob = c.blob;
          if (blob === null) {
            blob = new Blob();
            c.blob = blob;
            c.len = 0;
          }
          blob.decode(d);
          break;
        }
        default: d.skip();
      }
    }
    d.leave(outer);
    return c;
  }
}
