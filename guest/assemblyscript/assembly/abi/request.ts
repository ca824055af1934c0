import { Decoder } from "./decoder";
import { Encoder } from "./encoder";
import { Method } from "./method";

/** The arguments of a call of one method. Strings and arrays in it may be kept. */
export abstract class Request {
  /** Which method it is of; also its number in Call. */
  abstract get method(): Method;
  /** Writes the fields; the field around them is the caller's. */
  abstract encode(e: Encoder): void;
  /** Reads the current field, if the message has it. */
  protected abstract decodeField(d: Decoder): void;

  /** Reads the message on top of what is there. */
  decode(d: Decoder): void {
    const outer = d.enter();
    while (d.next()) this.decodeField(d);
    d.leave(outer);
  }
}
