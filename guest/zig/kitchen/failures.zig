//! Handlers that fail, each in its way.

const std = @import("std");
const wasmsandbox = @import("wasmsandbox");

const Call = wasmsandbox.Call;
const ExecRequest = wasmsandbox.ExecRequest;
const ExecResult = wasmsandbox.ExecResult;

const full_context = [_]wasmsandbox.Entry{
    .boolean("bool", true),
    .data("bytes", "\x00\xff"),
    .int("int", -5),
    .list("list", &.{ .null, .{ .bool = false }, .{ .int = 7 }, .{ .text = "x" } }),
    .map("map", &.{.map("a", &.{.text("b", "c")})}),
    .int("max", std.math.maxInt(i64)),
    .int("min", std.math.minInt(i64)),
    .{ .key = "null" },
    .text("text", "é"),
};

pub fn raise(call: *Call, request: ExecRequest) !ExecResult {
    const command = request.command;
    if (command.len != 5) return call.fail("raise takes five parts");
    const retryable = std.meta.stringToEnum(wasmsandbox.SandboxError.Retryable, command[3]) orelse
        return call.fail("retryable is unknown, no or yes");
    const Context = enum { none, full };
    const context = std.meta.stringToEnum(Context, command[4]) orelse return call.fail("the context is none or full");
    return call.raise(.{
        .code = command[0],
        .op = command[1],
        .message = command[2],
        .retryable = retryable,
        .context = if (context == .full) &full_context else &.{},
    });
}

pub fn broken(call: *Call, _: ExecRequest) !ExecResult {
    return call.fail("it's broken");
}

pub fn panics(_: *Call, _: ExecRequest) !ExecResult {
    wasmsandbox.panicAt(@src(), "deliberate panic");
}
