import { bytesOf } from "./abi/utf8";
import { hostLog } from "./imports";

/** Lines in the record of the call. What is beyond the host's limit is dropped. */
export namespace log {
  /** @param level 0 debug, 1 info, 2 warn, 3 error; any other is dropped */
  export function write(level: i32, message: string): void {
    const bytes = bytesOf(message);
    hostLog(level, bytes.dataStart, bytes.length);
  }

  export function debug(message: string): void {
    write(0, message);
  }

  export function info(message: string): void {
    write(1, message);
  }

  export function warn(message: string): void {
    write(2, message);
  }

  export function error(message: string): void {
    write(3, message);
  }
}
