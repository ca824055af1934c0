/** Why the bytes of a message can't be decoded. */
export enum Reason {
  None,
  Truncated,
  Overflow,
  FieldNumber,
  WireType,
  Range,
  InvalidUtf8,
  Depth,
  TooMany,
  Missing,
  Enum,
  Digest,
}

/** The name that the specification has for the reason. */
export function reasonName(reason: Reason): string {
  switch (reason) {
    case Reason.None: return "";
    case Reason.Truncated: return "truncated";
    case Reason.Overflow: return "overflow";
    case Reason.FieldNumber: return "field_number";
    case Reason.WireType: return "wire_type";
    case Reason.Range: return "range";
    case Reason.InvalidUtf8: return "invalid_utf8";
    case Reason.Depth: return "depth";
    case Reason.TooMany: return "too_many";
    case Reason.Missing: return "missing";
    case Reason.Enum: return "enum";
    default: return "digest";
  }
}
