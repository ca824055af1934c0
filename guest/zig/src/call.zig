//! What handlers are given: the call, and the session it belongs to.

const std = @import("std");
const requests = @import("requests.zig");
const results = @import("results.zig");
const value = @import("value.zig");
const host = @import("host.zig");
const Method = @import("method.zig").Method;
const Settings = @import("settings.zig").Settings;
const SandboxError = @import("sandbox_error.zig").SandboxError;
const ContentWriter = @import("content_writer.zig").ContentWriter;

/// The session that the guest is open for.
pub const Session = struct {
    /// For what has to live as long as the session. Memory is freed one by one.
    allocator: std.mem.Allocator,
    config: Settings = .{},
    seed: u64 = 0,
    /// The virtual time at which the session starts.
    start_time_ns: i64 = 0,
    limits: requests.Limits = (requests.Limits{}).withDefaults(),
    /// Why the guest's open or close has failed.
    failure: ?[]const u8 = null,

    /// Fails with a message: `return session.fail("depth is at most 9")`. The message
    /// must live as long as the session.
    pub fn fail(self: *Session, message: []const u8) error{HandlerFailed} {
        self.failure = message;
        return error.HandlerFailed;
    }

    /// Adds a line to the host's record.
    pub fn log(_: *Session, level: host.Level, text: []const u8) void {
        host.log(level, text) catch {}; // a full log is no failure of the guest
    }
};

/// What `Call.raise` returns: `error.SandboxError` unless the context can't be sent.
pub const RaiseError = value.EntryError || error{SandboxError};

/// One call of the session. It lives until its handler returns.
pub const Call = struct {
    session: *Session,
    /// Freed when the reply has been made.
    arena: std.mem.Allocator,
    /// The position in the session's history, from 0.
    index: u64,
    /// The virtual time of the call.
    time_ns: i64,
    request: requests.Request,
    /// Counts the calls of this guest, for the validity of blobs.
    number: u64,
    /// Why the handler has failed.
    failure: ?[]const u8 = null,
    /// What the handler has raised.
    raised: ?SandboxError = null,

    /// The method that is called.
    pub fn method(self: *const Call) Method {
        return switch (self.request) {
            inline else => |_, tag| @field(Method, @tagName(tag)),
        };
    }

    /// The configuration of the session.
    pub fn config(self: *Call) *Settings {
        return &self.session.config;
    }

    /// Answers with a sandbox error: `return call.raise(.{ .code = code.exec_timeout })`.
    /// The context is copied; its texts and bytes must live as long as the call. Only
    /// responders can raise.
    pub fn raise(self: *Call, sandbox_error: SandboxError) RaiseError {
        self.raised = sandbox_error;
        self.raised.?.context = value.sorted(self.arena, sandbox_error.context) catch |failure| {
            self.raised = null;
            return failure;
        };
        return error.SandboxError;
    }

    /// Rejects the call, for a matcher: `return call.reject("not git", &.{})`. The
    /// differences are copied; their texts must live as long as the call.
    pub fn reject(
        self: *Call,
        reason: []const u8,
        differences: []const results.Difference,
    ) std.mem.Allocator.Error!results.Verdict {
        return .{
            .answer = .reject,
            .reason = reason,
            .differences = try self.arena.dupe(results.Difference, differences),
        };
    }

    /// Says that there is no answer, and why: `return call.fail("no fixture")`. The
    /// message must live as long as the call.
    pub fn fail(self: *Call, message: []const u8) error{HandlerFailed} {
        self.failure = message;
        return error.HandlerFailed;
    }

    /// Formatted text in the call's arena.
    pub fn print(self: *Call, comptime format: []const u8, arguments: anytype) std.mem.Allocator.Error![]u8 {
        return std.fmt.allocPrint(self.arena, format, arguments);
    }

    /// Adds text to the record of the call. What doesn't fit into the log is dropped.
    pub fn log(_: *Call, level: host.Level, text: []const u8) void {
        host.log(level, text) catch {}; // a full log is no failure of the handler
    }

    /// Collects output that is made in pieces.
    pub fn writer(self: *Call) ContentWriter {
        return .{ .arena = self.arena, .inline_bytes = self.session.limits.inline_bytes, .call = self.number };
    }
};
