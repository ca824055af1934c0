import { Decoder } from "./decoder";
import { Encoder } from "./encoder";

/** The last words of a guest. */
export class Panic {
  message: string = "";
  file: string = "";
  line: u32 = 0;
  stack: string = "";

  encode(e: Encoder): void {
    e.raw(1, this.message);
    e.raw(2, this.file);
    e.uint(3, this.line);
    e.raw(4, this.stack);
  }

  decode(d: Decoder): void {
    while (d.next()) {
      switch (d.field) {
        case 1: this.message = d.raw(); break;
        case 2: this.file = d.raw(); break;
        case 3: this.line = d.uint32(); break;
        case 4: this.stack = d.raw(); break;
        default: d.skip();
      }
    }
  }
}
