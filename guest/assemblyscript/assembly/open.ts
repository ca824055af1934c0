import { Limits } from "./abi/open_message";
import { Settings } from "./settings";

/** What a guest is told when its session starts. It may be kept. */
export class Open {
  constructor(
    public readonly config: Settings,
    public readonly seed: u64,
    /** Virtual time, in nanoseconds since 1970 UTC. */
    public readonly startTimeNs: i64,
    public readonly limits: Limits,
  ) {}
}
