/** The methods of a session. */
export enum Method {
  ApplyPatch = 3,
  Exec = 4,
  Ls = 5,
  Mkdir = 6,
  PtyExecStart = 7,
  PtyWriteStdin = 8,
  Read = 9,
  Rm = 10,
  Write = 11,
}

/** The name of the method, as scripts have it. */
export function methodName(method: Method): string {
  switch (method) {
    case Method.ApplyPatch: return "apply_patch";
    case Method.Exec: return "exec";
    case Method.Ls: return "ls";
    case Method.Mkdir: return "mkdir";
    case Method.PtyExecStart: return "pty_exec_start";
    case Method.PtyWriteStdin: return "pty_write_stdin";
    case Method.Read: return "read";
    case Method.Rm: return "rm";
    case Method.Write: return "write";
    default: return "no method";
  }
}
