import { Decoder } from "./decoder";
import { Encoder } from "./encoder";
import { Method } from "./method";
import { Reason } from "./reason";

export enum HandlerKind {
  Unspecified = 0,
  Match = 1,
  Respond = 2,
}

/** What the host is told of a handler. */
export class HandlerInfo {
  id: u32 = 0;
  name: string = "";
  kind: HandlerKind = HandlerKind.Unspecified;
  /** Ascending; none: all. */
  methods: Method[] = [];

  encode(e: Encoder): void {
    e.uint(1, this.id);
    e.text(2, this.name);
    e.uint(3, this.kind);
    const n = this.methods.length;
    if (n == 0) return;
    const packed = memory.data(16);
    for (let i = 0; i < n; i++) store<u8>(packed + i, this.methods[i]); // each below 128, at most nine
    e.setSpan(4, packed, n);
  }

  decode(d: Decoder): void {
    const outer = d.enter();
    while (d.next()) {
      switch (d.field) {
        case 1: this.id = d.uint32(); break;
        case 2: this.name = d.text(); break;
        case 3: this.kind = d.enumeration(HandlerKind.Respond); break;
        case 4: this.decodeMethods(d); break;
        default: d.skip();
      }
    }
    d.leave(outer);
  }

  /** Reads one method, or any number of them packed. */
  private decodeMethods(d: Decoder): void {
    if (!d.packed) {
      this.decodeMethod(d);
      return;
    }
    const outer = d.enterPacked();
    while (d.more) this.decodeMethod(d);
    d.leave(outer);
  }

  private decodeMethod(d: Decoder): void {
    const method = <Method>d.enumeration(Method.Write);
    if (method < Method.ApplyPatch) d.fail(Reason.Enum);
    this.methods.push(method);
  }
}

/** Who the guest is and what handlers it has. */
export class Description {
  name: string = "";
  version: string = "";
  sdk: string = "";
  sdkVersion: string = "";
  language: string = "";
  toolchain: string = "";
  handlers: HandlerInfo[] = [];
  configSchema: string = "";

  encode(e: Encoder): void {
    e.text(1, this.name);
    e.text(2, this.version);
    e.text(3, this.sdk);
    e.text(4, this.sdkVersion);
    e.text(5, this.language);
    e.text(6, this.toolchain);
    for (let i = 0, n = this.handlers.length; i < n; i++) {
      const mark = e.open(7);
      this.handlers[i].encode(e);
      e.close(mark);
    }
    e.text(8, this.configSchema);
  }

  decode(d: Decoder): void {
    const outer = d.enter();
    while (d.next()) {
      switch (d.field) {
        case 1: this.name = d.text(); break;
        case 2: this.version = d.text(); break;
        case 3: this.sdk = d.text(); break;
        case 4: this.sdkVersion = d.text(); break;
        case 5: this.language = d.text(); break;
        case 6: this.toolchain = d.text(); break;
        case 7: {
          const handler = new HandlerInfo();
          handler.decode(d);
          this.handlers.push(handler);
          break;
        }
        case 8: this.configSchema = d.text(); break;
        default: d.skip();
      }
    }
    d.leave(outer);
  }
}
