//! What the host sends: calls, one kind of request for each method, and Open.
//! Times and durations are nanoseconds; paths, arguments and characters are bytes that
//! need not be UTF-8. All slices of a request live until its handler returns.

const Field = @import("schema.zig").Field;
const Stream = @import("content.zig").Stream;
const Entry = @import("value.zig").Entry;

/// The argument of wasmsandbox_match and wasmsandbox_respond.
pub const CallMessage = struct {
    index: u64 = 0,
    time_ns: i64 = 0,
    request: ?Request = null,

    pub const message_name = "Call";
    pub const oneof = "request";
    pub const fields = [_]Field{ .uint(1, "index"), .int(2, "time_ns") };
};

/// The request of a call; which one it is tells the method.
pub const Request = union(enum) {
    apply_patch: ApplyPatchRequest,
    exec: ExecRequest,
    ls: LsRequest,
    mkdir: MkdirRequest,
    pty_exec_start: PtyExecStartRequest,
    pty_write_stdin: PtyWriteStdinRequest,
    read: ReadRequest,
    rm: RmRequest,
    write: WriteRequest,

    pub const message_name = "Call";
    pub const fields = [_]Field{
        .message(3, "apply_patch"),    .message(4, "exec"),            .message(5, "ls"),   .message(6, "mkdir"),
        .message(7, "pty_exec_start"), .message(8, "pty_write_stdin"), .message(9, "read"), .message(10, "rm"),
        .message(11, "write"),
    };
};

pub const ApplyPatchRequest = struct {
    operations: []const PatchOperation = &.{},
    /// "v4a" unless the caller said otherwise.
    patch_format: []const u8 = "",

    pub const message_name = "ApplyPatchRequest";
    pub const fields = [_]Field{ .message(1, "operations"), .text(2, "patch_format") };
};

pub const PatchOperation = struct {
    /// create_file, update_file or delete_file; not checked.
    type: []const u8 = "",
    path: []const u8 = "",
    diff: ?[]const u8 = null,
    move_to: ?[]const u8 = null,

    pub const message_name = "PatchOperation";
    pub const fields = [_]Field{ .text(1, "type"), .bytes(2, "path"), .bytes(3, "diff"), .bytes(4, "move_to") };
};

pub const ExecRequest = struct {
    command: []const []const u8 = &.{},
    /// 0: none.
    timeout_ns: i64 = 0,
    shell: Shell = .{},
    /// Empty: none.
    user: []const u8 = "",

    pub const message_name = "ExecRequest";
    pub const fields = [_]Field{ .bytes(1, "command"), .int(2, "timeout_ns"), .message(3, "shell"), .text(4, "user") };
};

/// By which shell a command runs.
pub const Shell = struct {
    mode: Mode = .default,
    argv: []const []const u8 = &.{},

    pub const Mode = enum(u8) {
        /// The default login shell runs the command.
        default = 0,
        /// The command's parts are run as they are.
        off = 1,
        /// `argv` is put before the command; it may be empty.
        argv = 2,
    };
    pub const message_name = "Shell";
    pub const fields = [_]Field{ .enumeration(1, "mode"), .bytes(2, "argv") };
};

pub const LsRequest = struct {
    path: []const u8 = "",
    user: []const u8 = "",

    pub const message_name = "LsRequest";
    pub const fields = [_]Field{ .bytes(1, "path"), .text(2, "user") };
};

pub const MkdirRequest = struct {
    path: []const u8 = "",
    parents: bool = false,
    user: []const u8 = "",

    pub const message_name = "MkdirRequest";
    pub const fields = [_]Field{ .bytes(1, "path"), .boolean(2, "parents"), .text(3, "user") };
};

pub const PtyExecStartRequest = struct {
    command: []const []const u8 = &.{},
    /// 0: none.
    timeout_ns: i64 = 0,
    shell: Shell = .{},
    user: []const u8 = "",
    tty: bool = false,
    /// 0: not given.
    yield_time_ns: i64 = 0,
    /// 0: not given.
    max_output_tokens: i64 = 0,

    pub const message_name = "PtyExecStartRequest";
    pub const fields = [_]Field{
        .bytes(1, "command"), .int(2, "timeout_ns"),    .message(3, "shell"),         .text(4, "user"),
        .boolean(5, "tty"),   .int(6, "yield_time_ns"), .int(7, "max_output_tokens"),
    };
};

pub const PtyWriteStdinRequest = struct {
    session_id: i64 = 0,
    chars: []const u8 = "",
    /// 0: not given.
    yield_time_ns: i64 = 0,
    /// 0: not given.
    max_output_tokens: i64 = 0,

    pub const message_name = "PtyWriteStdinRequest";
    pub const fields = [_]Field{
        .int(1, "session_id"),    .bytes(2, "chars"),
        .int(3, "yield_time_ns"), .int(4, "max_output_tokens"),
    };
};

pub const ReadRequest = struct {
    path: []const u8 = "",
    user: []const u8 = "",

    pub const message_name = "ReadRequest";
    pub const fields = [_]Field{ .bytes(1, "path"), .text(2, "user") };
};

pub const RmRequest = struct {
    path: []const u8 = "",
    recursive: bool = false,
    user: []const u8 = "",

    pub const message_name = "RmRequest";
    pub const fields = [_]Field{ .bytes(1, "path"), .boolean(2, "recursive"), .text(3, "user") };
};

pub const WriteRequest = struct {
    path: []const u8 = "",
    data: Stream = .{},
    user: []const u8 = "",

    pub const message_name = "WriteRequest";
    pub const fields = [_]Field{ .bytes(1, "path"), .message(2, "data"), .text(3, "user") };
};

/// The argument of wasmsandbox_open.
pub const OpenMessage = struct {
    config: []const Entry = &.{},
    seed: u64 = 0,
    start_time_ns: i64 = 0,
    limits: Limits = .{},

    pub const message_name = "Open";
    pub const fields = [_]Field{ .message(1, "config"), .uint(2, "seed"), .int(3, "start_time_ns"), .message(4, "limits") };
};

/// The session's limits, in bytes. 0 in a message means that the limit isn't told.
pub const Limits = struct {
    /// Content longer than this travels as a blob.
    inline_bytes: u64 = 0,
    /// The longest reply the host takes.
    reply_bytes: u64 = 0,
    /// Log text kept for each call.
    log_bytes: u64 = 0,
    /// Bytes of blobs that the guest may make in each call.
    blob_bytes: u64 = 0,

    /// The limits with the ABI's defaults for those that aren't told.
    pub fn withDefaults(self: Limits) Limits {
        return .{
            .inline_bytes = if (self.inline_bytes == 0) 64 << 10 else self.inline_bytes,
            .reply_bytes = if (self.reply_bytes == 0) 16 << 20 else self.reply_bytes,
            .log_bytes = if (self.log_bytes == 0) 1 << 20 else self.log_bytes,
            .blob_bytes = if (self.blob_bytes == 0) 256 << 20 else self.blob_bytes,
        };
    }

    pub const message_name = "Limits";
    pub const fields = [_]Field{
        .uint(1, "inline_bytes"), .uint(2, "reply_bytes"),
        .uint(3, "log_bytes"),    .uint(4, "blob_bytes"),
    };
};
