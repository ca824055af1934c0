//! What the guest does with its configuration and its session.

const std = @import("std");
const wasmsandbox = @import("wasmsandbox");

const Call = wasmsandbox.Call;
const ExecRequest = wasmsandbox.ExecRequest;
const ExecResult = wasmsandbox.ExecResult;
const Writer = std.Io.Writer;

pub fn checkDepth(opened: *wasmsandbox.Session) !void {
    const depth = opened.config.get("depth") orelse return;
    if (depth == .int and depth.int > 9) return opened.fail("depth is at most 9");
}

pub fn config(call: *Call, _: ExecRequest) !ExecResult {
    var text: Writer.Allocating = .init(call.arena);
    for (call.config().entries) |entry| {
        try renderEntry(&text.writer, entry);
        try text.writer.writeByte('\n');
    }
    return .{ .stdout = .from(text.written()) };
}

fn renderEntry(into: *Writer, entry: wasmsandbox.Entry) Writer.Error!void {
    try into.print("{s}=", .{entry.key});
    try renderValue(into, entry.value);
}

fn renderValue(into: *Writer, value: wasmsandbox.Value) Writer.Error!void {
    switch (value) {
        .null => try into.writeAll("null"),
        .bool => |truth| try into.writeAll(if (truth) "true" else "false"),
        .int => |number| try into.print("{d}", .{number}),
        .text => |text| try into.print("\"{s}\"", .{text}),
        .data => |bytes| try into.print("0x{x}", .{bytes}),
        .list => |values| {
            try into.writeByte('[');
            for (values, 0..) |element, i| {
                if (i > 0) try into.writeByte(',');
                try renderValue(into, element);
            }
            try into.writeByte(']');
        },
        .map => |entries| {
            try into.writeByte('{');
            for (entries, 0..) |entry, i| {
                if (i > 0) try into.writeByte(',');
                try renderEntry(into, entry);
            }
            try into.writeByte('}');
        },
    }
}

pub fn setting(call: *Call, request: ExecRequest) !ExecResult {
    if (request.command.len != 1) return call.fail("setting takes one part");
    return .{ .stdout = .from(try call.config().text(request.command[0]) orelse "main") };
}

pub fn session(call: *Call, _: ExecRequest) !ExecResult {
    const opened = call.session;
    return .{ .stdout = .from(try call.print(
        \\seed={d}
        \\start_time_ns={d}
        \\inline_bytes={d}
        \\reply_bytes={d}
        \\log_bytes={d}
        \\blob_bytes={d}
        \\index={d}
        \\time_ns={d}
        \\
    , .{
        opened.seed,             opened.start_time_ns,     opened.limits.inline_bytes, opened.limits.reply_bytes,
        opened.limits.log_bytes, opened.limits.blob_bytes, call.index,                 call.time_ns,
    })) };
}
