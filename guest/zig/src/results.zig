//! What responders and matchers answer. The slices of a result must live until its
//! handler has returned: take them from the call's arena, the request, or constants.

const Field = @import("schema.zig").Field;
const content = @import("content.zig");
const SandboxError = @import("sandbox_error.zig").SandboxError;

/// How a responder answers: the result of the call's method, or a sandbox error.
pub const Outcome = union(enum) {
    /// Of write, rm and mkdir.
    void: Void,
    exec: ExecResult,
    /// Of read.
    stream: content.Stream,
    /// Of ls.
    listing: Listing,
    /// Of apply_patch.
    text: []const u8,
    /// Of pty_exec_start and pty_write_stdin.
    pty: PtyUpdate,
    sandbox_error: SandboxError,

    pub const message_name = "Outcome";
    pub const fields = [_]Field{
        .message(1, "void"), .message(2, "exec"), .message(3, "stream"),        .message(4, "listing"),
        .text(5, "text"),    .message(6, "pty"),  .message(7, "sandbox_error"),
    };
};

/// A result that says nothing but that the call succeeded.
pub const Void = struct {
    pub const message_name = "Void";
    pub const fields = [_]Field{};
};

pub const ExecResult = struct {
    stdout: content.Content = .empty,
    stderr: content.Content = .empty,
    exit_code: i32 = 0,

    pub const message_name = "ExecResult";
    pub const fields = [_]Field{ .message(1, "stdout"), .message(2, "stderr"), .sint(3, "exit_code") };
};

pub const Listing = struct {
    entries: []const FileEntry = &.{},

    pub const message_name = "Listing";
    pub const fields = [_]Field{.message(1, "entries")};
};

pub const FileEntry = struct {
    path: []const u8 = "",
    /// The bits of 0o777, and 0o40000 for a directory.
    permissions: u32 = 0,
    owner: []const u8 = "",
    group: []const u8 = "",
    /// In bytes.
    size: u64 = 0,
    kind: Kind = .file,

    pub const Kind = enum(u8) { file = 0, directory = 1, symlink = 2, other = 3 };
    pub const message_name = "FileEntry";
    pub const fields = [_]Field{
        .bytes(1, "path"), .uint(2, "permissions"), .text(3, "owner"),
        .text(4, "group"), .uint(5, "size"),        .enumeration(6, "kind"),
    };
};

pub const PtyUpdate = struct {
    /// Of a process that lives.
    process_id: ?i64 = null,
    output: content.Content = .empty,
    /// Of a process that has finished.
    exit_code: ?i32 = null,
    original_token_count: ?u64 = null,

    pub const message_name = "PtyUpdate";
    pub const fields = [_]Field{
        .sint(1, "process_id"), .message(2, "output"),
        .sint(3, "exit_code"),  .uint(4, "original_token_count"),
    };
};

/// What a matcher says of a call. All but a rejection, which `Call.reject` makes, accept.
pub const Verdict = struct {
    answer: Answer = .none,
    reason: []const u8 = "",
    differences: []const Difference = &.{},

    pub const Answer = enum(u8) { none = 0, accept = 1, reject = 2 };

    /// The call is the expected one.
    pub const accept: Verdict = .{ .answer = .accept };
    /// The matcher has no opinion.
    pub const undecided: Verdict = .{};

    pub const message_name = "Verdict";
    pub const fields = [_]Field{ .enumeration(1, "answer"), .text(2, "reason"), .message(3, "differences") };
};

/// One way in which a call differs from the expected one.
pub const Difference = struct {
    /// For example args[0] or kwargs.timeout.
    field: []const u8 = "",
    expected: []const u8 = "",
    actual: []const u8 = "",

    pub const message_name = "Difference";
    pub const fields = [_]Field{ .text(1, "field"), .text(2, "expected"), .text(3, "actual") };
};
