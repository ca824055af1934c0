/** What a guest in JavaScript can import. */
declare module "wasmsandbox" {
  /** A number if it is one exactly, else a BigInt. */
  export type Integer = number | bigint;
  export type Bytes = string | Uint8Array | ArrayBuffer;
  export type Output = Bytes | Content | Writer;
  export type Setting = null | boolean | Integer | string | Uint8Array | Setting[] | Map<string, Setting>;
  export type ContextValue =
    | null | undefined | boolean | Integer | string | Uint8Array | ContextValue[]
    | Map<string, ContextValue> | { [key: string]: ContextValue };

  /** The configuration that the script has for the module. */
  export interface Config extends Iterable<[string, Setting]> {
    get(name: string, fallback?: Setting): Setting | undefined;
    string(name: string, fallback?: string): string;
    integer(name: string, fallback?: Integer): Integer;
    boolean(name: string, fallback?: boolean): boolean;
    bytes(name: string, fallback?: Uint8Array): Uint8Array;
    list(name: string, fallback?: Setting[]): Setting[];
    map(name: string, fallback?: Map<string, Setting>): Map<string, Setting>;
  }

  export interface Session {
    readonly config: Config;
    readonly seed: Integer;
    readonly startTimeNs: Integer;
    readonly limits: { inlineBytes: number; replyBytes: number; logBytes: number; blobBytes: number };
  }

  export interface Call<Request = any> {
    /** The position in the session's history, from 0. */
    readonly index: Integer;
    /** Virtual time, in nanoseconds since 1970. */
    readonly timeNs: Integer;
    /** The same as a date. */
    readonly time: Date;
    readonly method: Method;
    readonly request: Request;
    readonly session: Session;
    readonly config: Config;
  }

  export type Method =
    | "apply_patch" | "exec" | "ls" | "mkdir" | "pty_exec_start" | "pty_write_stdin" | "read" | "rm" | "write";

  export interface Shell {
    mode: "default" | "off" | "argv";
    argv: string[];
    readonly argvBytes: Uint8Array[];
  }

  export interface ExecRequest {
    command: string[];
    readonly commandBytes: Uint8Array[];
    /** 0: none. */
    timeoutNs: Integer;
    shell: Shell;
    user: string;
  }

  export interface PtyExecStartRequest extends ExecRequest {
    tty: boolean;
    yieldTimeNs: Integer;
    maxOutputTokens: Integer;
  }

  export interface PtyWriteStdinRequest {
    sessionId: Integer;
    chars: string;
    readonly charsBytes: Uint8Array;
    yieldTimeNs: Integer;
    maxOutputTokens: Integer;
  }

  export interface PathRequest {
    path: string;
    readonly pathBytes: Uint8Array;
    user: string;
  }

  export interface MkdirRequest extends PathRequest { parents: boolean }
  export interface RmRequest extends PathRequest { recursive: boolean }
  export interface WriteRequest extends PathRequest { data: Content & { position: Integer; isText: boolean } }

  export interface PatchOperation {
    type: string;
    path: string;
    readonly pathBytes: Uint8Array;
    diff?: string;
    readonly diffBytes?: Uint8Array;
    moveTo?: string;
    readonly moveToBytes?: Uint8Array;
  }

  export interface ApplyPatchRequest {
    operations: PatchOperation[];
    patchFormat: string;
  }

  export interface ExecResult { stdout?: Output; stderr?: Output; exitCode?: number }
  export interface PtyUpdate { processId?: Integer; output?: Output; exitCode?: number; originalTokenCount?: Integer }
  /** Content alone is a stream from its start, one of text if it is a string. */
  export type ReadResult = Output | { content?: Output; position?: Integer; text?: boolean };
  export interface FileEntry {
    path: Bytes;
    permissions?: number;
    owner?: string;
    group?: string;
    size?: Integer;
    kind?: "file" | "directory" | "symlink" | "other";
  }

  type Handler<Request, Result> =
    (call: Call<Request>, request: Request) => Result | undefined | void | Promise<Result | undefined | void>;

  export function onApplyPatch(name: string, handler: Handler<ApplyPatchRequest, string>): void;
  export function onExec(name: string, handler: Handler<ExecRequest, ExecResult>): void;
  export function onLs(name: string, handler: Handler<PathRequest, FileEntry[]>): void;
  export function onMkdir(name: string, handler: Handler<MkdirRequest, void>): void;
  export function onPtyExecStart(name: string, handler: Handler<PtyExecStartRequest, PtyUpdate>): void;
  export function onPtyWriteStdin(name: string, handler: Handler<PtyWriteStdinRequest, PtyUpdate>): void;
  export function onRead(name: string, handler: Handler<PathRequest, ReadResult>): void;
  export function onRm(name: string, handler: Handler<RmRequest, void>): void;
  export function onWrite(name: string, handler: Handler<WriteRequest, void>): void;

  /** Registers a responder for several methods, or for all. */
  export function respond(name: string, handler: Handler<any, any>, options?: { methods?: Method[] }): void;
  /** Registers a matcher, for some methods or for all. */
  export function match(name: string, handler: Handler<any, Verdict | boolean>, options?: { methods?: Method[] }): void;

  export function onOpen(handler: (session: Session) => void | Promise<void>): void;
  export function onClose(handler: (session: Session) => void | Promise<void>): void;
  export function describe(guest: { name?: string; version?: string; configSchema?: string | object }): void;

  export interface Verdict {
    differ(field: string, expected?: unknown, actual?: unknown): Verdict;
  }
  export function accept(): Verdict;
  export function reject(reason?: string): Verdict;

  /** The codes of sandbox errors. A guest may use others as well. */
  export type ErrorCode =
    | "invalid_manifest_path" | "invalid_compression_scheme" | "apply_patch_invalid_path"
    | "apply_patch_invalid_diff" | "skills_config_invalid" | "sandbox_config_invalid"
    | "exposed_port_unavailable" | "exec_nonzero" | "exec_timeout" | "exec_transport_error"
    | "pty_session_not_found" | "apply_patch_file_not_found" | "apply_patch_decode_error"
    | "workspace_read_not_found" | "workspace_archive_read_error" | "workspace_archive_write_error"
    | "workspace_write_type_error" | "workspace_stop_error" | "workspace_start_error"
    | "workspace_root_not_found" | "local_file_read_error" | "local_dir_read_error" | "local_checksum_error"
    | "git_missing_in_image" | "git_clone_error" | "git_subpath_error" | "git_copy_error"
    | "mount_missing_tool" | "mount_config_invalid" | "mount_failed" | "snapshot_persist_error"
    | "snapshot_restore_error" | "snapshot_not_restorable"
    | (string & {});

  /** An error that the session's caller gets, as if a real sandbox had raised it. */
  export class SandboxError extends Error {
    constructor(code: ErrorCode, details?: {
      message?: string;
      op?: string;
      context?: { [key: string]: ContextValue } | Map<string, ContextValue>;
      retryable?: boolean;
    });
    code: ErrorCode;
  }

  /** Ends the guest. */
  export function panic(message: string): never;

  export class Content {
    private constructor();
    readonly size: number;
    /** In hexadecimal; undefined for content that came with the message. */
    readonly sha256: string | undefined;
    /** What the host answers for its length; undefined for content that came with the message. */
    readonly hostSize: number | undefined;
    read(offset?: Integer, length?: number): Uint8Array;
    bytes(): Uint8Array;
    text(): string;
  }

  export class Writer {
    readonly size: number;
    write(data: Bytes): void;
  }

  interface Log {
    (text: unknown): void;
    debug(text: unknown): void;
    info(text: unknown): void;
    warn(text: unknown): void;
    error(text: unknown): void;
  }
  export const log: Log;

  /** Calls an extension of the ABI. A negative answer is a status. */
  export function extension(op: number, data?: Bytes): number;
}

declare const console: {
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  debug(...values: unknown[]): void;
  trace(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
};

declare function setTimeout(run: () => void, milliseconds?: number): object;
declare function clearTimeout(timer: object): void;

declare class TextEncoder {
  readonly encoding: string;
  encode(text?: string): Uint8Array;
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean });
  readonly encoding: string;
  readonly fatal: boolean;
  decode(data?: ArrayBuffer | ArrayBufferView): string;
}
