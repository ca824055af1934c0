import { Call, FileEntry, Listing, LsRequest, onLs } from "../../../../guest/assemblyscript";

export * from "../../../../guest/assemblyscript/exports";

/** Lists what was built. */
onLs("dist", (_call: Call, request: LsRequest): Listing =>
  new Listing([new FileEntry(request.path + "/greeter-1.5.0.tgz", 0o644, 48213)]),
);
