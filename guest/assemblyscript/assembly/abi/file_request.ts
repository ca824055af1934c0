import { Decoder } from "./decoder";
import { Encoder } from "./encoder";
import { Method } from "./method";
import { Request } from "./request";
import { Stream } from "./stream";

/** A folder to list. */
export class LsRequest extends Request {
  path: string = "";
  user: string = "";

  get method(): Method {
    return Method.Ls;
  }

  encode(e: Encoder): void {
    e.raw(1, this.path);
    e.text(2, this.user);
  }

  protected decodeField(d: Decoder): void {
    switch (d.field) {
      case 1: this.path = d.raw(); break;
      case 2: this.user = d.text(); break;
      default: d.skip();
    }
  }
}

/** A file to read. */
export class ReadRequest extends LsRequest {
  get method(): Method {
    return Method.Read;
  }
}

/** A folder to make. */
export class MkdirRequest extends Request {
  path: string = "";
  /** Make the folders around it, too. */
  parents: bool = false;
  user: string = "";

  get method(): Method {
    return Method.Mkdir;
  }

  encode(e: Encoder): void {
    e.raw(1, this.path);
    e.bool(2, this.parents);
    e.text(3, this.user);
  }

  protected decodeField(d: Decoder): void {
    switch (d.field) {
      case 1: this.path = d.raw(); break;
      case 2: this.parents = d.bool(); break;
      case 3: this.user = d.text(); break;
      default: d.skip();
    }
  }
}

/** A file or folder to remove. */
export class RmRequest extends Request {
  path: string = "";
  /** Remove what is in it, too. */
  recursive: bool = false;
  user: string = "";

  get method(): Method {
    return Method.Rm;
  }

  encode(e: Encoder): void {
    e.raw(1, this.path);
    e.bool(2, this.recursive);
    e.text(3, this.user);
  }

  protected decodeField(d: Decoder): void {
    switch (d.field) {
      case 1: this.path = d.raw(); break;
      case 2: this.recursive = d.bool(); break;
      case 3: this.user = d.text(); break;
      default: d.skip();
    }
  }
}

/** A file to write. Its content is valid until the handler returns. */
export class WriteRequest extends Request {
  path: string = "";
  data: Stream = new Stream();
  user: string = "";

  get method(): Method {
    return Method.Write;
  }

  encode(e: Encoder): void {
    e.raw(1, this.path);
    if (!this.data.empty) {
      const mark = e.open(2);
      this.data.encode(e);
      e.close(mark);
    }
    e.text(3, this.user);
  }

  protected decodeField(d: Decoder): void {
    switch (d.field) {
      case 1: this.path = d.raw(); break;
      case 2: this.data.decode(d); break;
      case 3: this.user = d.text(); break;
      default: d.skip();
    }
  }
}
