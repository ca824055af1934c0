//! Handlers, and how functions of several types become them at compile time.

const std = @import("std");
const Call = @import("call.zig").Call;
const Method = @import("method.zig").Method;
const replies = @import("replies.zig");
const results = @import("results.zig");
const content = @import("content.zig");
const requests = @import("requests.zig");

const Kind = replies.HandlerDescription.Kind;
const MatchFunction = *const fn (*Call) anyerror!results.Verdict;
const RespondFunction = *const fn (*Call) anyerror!results.Outcome;

/// A function under a name. Make it by the functions below.
pub const Handler = struct {
    name: []const u8,
    kind: Kind,
    /// Empty: all.
    methods: []const Method,
    match_function: ?MatchFunction = null,
    respond_function: ?RespondFunction = null,
};

/// A matcher for some methods, or for `all_methods`. The function is
/// `fn (*Call) !Verdict`; an error says that it can't find out.
pub fn match(comptime name: []const u8, comptime methods: []const Method, comptime function: anytype) Handler {
    const adapter = struct {
        fn run(call: *Call) anyerror!results.Verdict {
            return function(call);
        }
    };
    return .{ .name = name, .kind = .match, .methods = methods, .match_function = adapter.run };
}

/// A responder for several methods, or for `all_methods`. The function is
/// `fn (*Call) !Outcome`.
pub fn respond(comptime name: []const u8, comptime methods: []const Method, comptime function: anytype) Handler {
    const adapter = struct {
        fn run(call: *Call) anyerror!results.Outcome {
            return function(call);
        }
    };
    return .{ .name = name, .kind = .respond, .methods = methods, .respond_function = adapter.run };
}

/// Answers exec: `fn (*Call, ExecRequest) !ExecResult`.
pub fn exec(comptime name: []const u8, comptime function: anytype) Handler {
    return typed(.exec, name, function);
}

/// Answers read: `fn (*Call, ReadRequest) !Stream`.
pub fn read(comptime name: []const u8, comptime function: anytype) Handler {
    return typed(.read, name, function);
}

/// Answers write: `fn (*Call, WriteRequest) !void`.
pub fn write(comptime name: []const u8, comptime function: anytype) Handler {
    return typed(.write, name, function);
}

/// Answers rm: `fn (*Call, RmRequest) !void`.
pub fn rm(comptime name: []const u8, comptime function: anytype) Handler {
    return typed(.rm, name, function);
}

/// Answers mkdir: `fn (*Call, MkdirRequest) !void`.
pub fn mkdir(comptime name: []const u8, comptime function: anytype) Handler {
    return typed(.mkdir, name, function);
}

/// Answers ls: `fn (*Call, LsRequest) ![]const FileEntry`.
pub fn ls(comptime name: []const u8, comptime function: anytype) Handler {
    return typed(.ls, name, function);
}

/// Answers apply_patch: `fn (*Call, ApplyPatchRequest) ![]const u8`.
pub fn applyPatch(comptime name: []const u8, comptime function: anytype) Handler {
    return typed(.apply_patch, name, function);
}

/// Answers pty_exec_start: `fn (*Call, PtyExecStartRequest) !PtyUpdate`.
pub fn ptyExecStart(comptime name: []const u8, comptime function: anytype) Handler {
    return typed(.pty_exec_start, name, function);
}

/// Answers pty_write_stdin: `fn (*Call, PtyWriteStdinRequest) !PtyUpdate`.
pub fn ptyWriteStdin(comptime name: []const u8, comptime function: anytype) Handler {
    return typed(.pty_write_stdin, name, function);
}

/// The tag of the outcome that is a method's result.
pub fn outcomeTag(method: Method) std.meta.Tag(results.Outcome) {
    return switch (method) {
        .apply_patch => .text,
        .exec => .exec,
        .ls => .listing,
        .mkdir, .rm, .write => .void,
        .pty_exec_start, .pty_write_stdin => .pty,
        .read => .stream,
    };
}

fn typed(comptime method: Method, comptime name: []const u8, comptime function: anytype) Handler {
    const adapter = struct {
        fn run(call: *Call) anyerror!results.Outcome {
            const Result = switch (comptime outcomeTag(method)) {
                .void => void,
                .listing => []const results.FileEntry,
                inline else => |tag| @FieldType(results.Outcome, @tagName(tag)),
            };
            const answer: anyerror!Result = function(call, @field(call.request, @tagName(method)));
            const result = try answer;
            return switch (comptime outcomeTag(method)) {
                .void => .{ .void = .{} },
                .listing => .{ .listing = .{ .entries = result } },
                inline else => |tag| @unionInit(results.Outcome, @tagName(tag), result),
            };
        }
    };
    return .{ .name = name, .kind = .respond, .methods = &.{method}, .respond_function = adapter.run };
}

/// What the host calls by one id: a matcher, or the responders that share a name.
pub const Registered = struct {
    name: []const u8,
    kind: Kind,
    /// Ascending; empty: all.
    methods: []const Method,
    match_function: ?MatchFunction = null,
    respond_functions: [Method.table_len]?RespondFunction = @splat(null),

    /// Whether calls of the method may be given to the handler.
    pub fn serves(self: *const Registered, method: Method) bool {
        return self.methods.len == 0 or std.mem.indexOfScalar(Method, self.methods, method) != null;
    }
};

/// The handlers as the host sees them, in the order in which their names first occur;
/// ids count from 1. Whatever can't be told apart is a compile error.
pub fn register(comptime handlers: []const Handler) []const Registered {
    comptime {
        @setEvalBranchQuota(1000 + 1000 * handlers.len * handlers.len);
        var table: []const Registered = &.{};
        for (handlers, 0..) |handler, i| {
            if (handler.name.len == 0) @compileError("a handler has no name");
            if (!firstOfName(handlers, i)) continue;
            table = table ++ .{merge(handlers[i..])};
        }
        return table;
    }
}

fn firstOfName(comptime handlers: []const Handler, comptime i: usize) bool {
    for (handlers[0..i]) |earlier| if (sameName(earlier, handlers[i])) return false;
    return true;
}

/// Makes one of the first handler and all others of its kind and name.
fn merge(comptime handlers: []const Handler) Registered {
    const first = handlers[0];
    var merged: Registered = .{
        .name = first.name,
        .kind = first.kind,
        .methods = &.{},
        .match_function = first.match_function,
    };
    var served: [Method.table_len]bool = @splat(false);
    var count = 0;
    for (handlers) |handler| {
        if (!sameName(handler, first)) continue;
        count += 1;
        if (count > 1 and handler.kind == .match) @compileError("the matcher " ++ first.name ++ " is there twice");
        for (if (handler.methods.len == 0) std.enums.values(Method) else handler.methods) |method| {
            const slot = @backingInt(method);
            if (served[slot]) @compileError(first.name ++ " is there twice for " ++ method.name());
            served[slot] = true;
            merged.respond_functions[slot] = handler.respond_function;
        }
    }
    if (count == 1 and first.methods.len == 0) return merged;
    for (std.enums.values(Method)) |method| {
        if (served[@backingInt(method)]) merged.methods = merged.methods ++ .{method};
    }
    return merged;
}

fn sameName(a: Handler, b: Handler) bool {
    return a.kind == b.kind and std.mem.eql(u8, a.name, b.name);
}
