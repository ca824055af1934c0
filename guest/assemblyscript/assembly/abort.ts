import { Encoder } from "./abi/encoder";
import { Panic } from "./abi/panic";
import { hostFail } from "./imports";
import { Session } from "./session";

// Lazy, as the compiler needs abort before it comes to this file's variables.
// @ts-ignore: decorator
@lazy let dying: bool = false;

/**
 * What a failed assertion or a `throw` calls: reports to the host, and traps.
 * The option `use` of asconfig.json puts it in the place of the compiler's own,
 * which imports a function that the host doesn't have.
 */
export function abort(message: string | null, file: string | null, line: u32, _column: u32): void {
  if (!dying) {
    dying = true;
    const panic = new Panic();
    panic.message = message === null ? "abort" : message;
    panic.file = file === null ? "" : file;
    panic.line = line;
    const report = new Encoder(256);
    panic.encode(report);
    hostFail(report.start, report.length);
  }
  unreachable();
}

/** The seed of Math.random: that of the session, so that a session can be repeated. */
export function seed(): f64 {
  return <f64>Session.seed;
}
