import { Decoder } from "./decoder";
import { Encoder } from "./encoder";
import { Method } from "./method";
import { Request } from "./request";

/** One file's part of a patch. */
export class PatchOperation {
  /** create_file, update_file or delete_file; not checked. */
  type: string = "";
  path: string = "";
  diff: string | null = null;
  moveTo: string | null = null;

  encode(e: Encoder): void {
    e.text(1, this.type);
    e.raw(2, this.path);
    const diff = this.diff;
    if (diff !== null) e.setRaw(3, diff);
    const moveTo = this.moveTo;
    if (moveTo !== null) e.setRaw(4, moveTo);
  }

  decode(d: Decoder): void {
    const outer = d.enter();
    while (d.next()) {
      switch (d.field) {
        case 1: this.type = d.text(); break;
        case 2: this.path = d.raw(); break;
        case 3: this.diff = d.raw(); break;
        case 4: this.moveTo = d.raw(); break;
        default: d.skip();
      }
    }
    d.leave(outer);
  }
}

/** A patch to apply. */
export class ApplyPatchRequest extends Request {
  operations: PatchOperation[] = [];
  /** "v4a" unless the caller said otherwise. */
  patchFormat: string = "";

  get method(): Method {
    return Method.ApplyPatch;
  }

  encode(e: Encoder): void {
    for (let i = 0, n = this.operations.length; i < n; i++) {
      const mark = e.open(1);
      this.operations[i].encode(e);
      e.close(mark);
    }
    e.text(2, this.patchFormat);
  }

  protected decodeField(d: Decoder): void {
    switch (d.field) {
      case 1: {
        const operation = new PatchOperation();
        operation.decode(d);
        this.operations.push(operation);
        break;
      }
      case 2: this.patchFormat = d.text(); break;
      default: d.skip();
    }
  }
}
