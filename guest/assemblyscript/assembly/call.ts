import { CallMessage } from "./abi/call_message";
import { Method } from "./abi/method";
import { Request } from "./abi/request";
import { Session } from "./session";
import { Settings } from "./settings";

/** The call to be answered. It is valid until the handler returns. */
export class Call {
  constructor(
    private message: CallMessage,
    /** What the script configured. */
    public readonly config: Settings,
  ) {}

  /** The place in the session's history, from 0. */
  get index(): u64 {
    return this.message.index;
  }

  /** The virtual time of the call, in nanoseconds since 1970 UTC. */
  get timeNs(): i64 {
    return this.message.timeNs;
  }

  /** The arguments; their class is that of the method. */
  get request(): Request {
    return this.message.request!;
  }

  get method(): Method {
    return this.request.method;
  }

  /**
   * Whether reading or writing content has failed, so that the call fails whatever
   * the handler returns. Ask before you keep what you have read.
   */
  get failed(): bool {
    return Session.failure !== null;
  }
}
