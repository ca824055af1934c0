/** The content that may travel inline when the host doesn't say. */
const DEFAULT_INLINE_BYTES: u64 = 65536;

/** What every part of the SDK has to know of the call and session that run. */
export class Session {
  /** Counts the calls of exports that run the guest's code. */
  static epoch: u32 = 0;
  /** Limits.inline_bytes, or 0 when it wasn't told. */
  static inlineBytes: u64 = 0;
  /** The session's seed. */
  static seed: u64 = 0;
  /** Why the call can't be answered, whatever its handler returns, or null. */
  static failure: string | null = null;
  /** Why the configuration isn't usable, as a getter of Settings found, or null. */
  static misconfigured: string | null = null;

  /** The longest content that travels inline. */
  static get inlineLimit(): u64 {
    return Session.inlineBytes == 0 ? DEFAULT_INLINE_BYTES : Session.inlineBytes;
  }

  /** Starts a call of an export. */
  static begin(): void {
    Session.epoch++;
    Session.failure = null;
    Session.misconfigured = null;
  }

  /** Lets the call fail once its handler has returned. The first reason counts. */
  static fail(reason: string): void {
    if (Session.failure === null) Session.failure = reason;
  }

  /** Lets the call fail if the answer of an import is a status; else it is a count. */
  static count(name: string, answer: i32): i32 {
    if (answer < 0) Session.fail(name + ": " + statusText(answer));
    return answer;
  }
}

function statusText(status: i32): string {
  switch (status) {
    case -1: return "bad pointer";
    case -2: return "no such blob";
    case -3: return "bad argument";
    case -4: return "a limit of the host is reached";
    case -5: return "bad message";
    case -6: return "not supported by the host";
    default: return "status " + status.toString();
  }
}
