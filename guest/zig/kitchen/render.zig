//! The responder that writes down the call it gets.

const std = @import("std");
const wasmsandbox = @import("wasmsandbox");
const results = @import("results.zig");

const Writer = std.Io.Writer;

pub fn respond(call: *wasmsandbox.Call) !wasmsandbox.Outcome {
    var text: Writer.Allocating = .init(call.arena);
    try renderCall(&text.writer, call);
    call.log(.info, text.written());
    if (call.request == .exec) return .{ .exec = .{ .stdout = .from(text.written()) } };
    return results.empty(call);
}

fn renderCall(into: *Writer, call: *const wasmsandbox.Call) Writer.Error!void {
    try into.print("method={s}\nindex={d}\ntime_ns={d}\n", .{ call.method().name(), call.index, call.time_ns });
    switch (call.request) {
        inline else => |request| try renderFields(into, "", request),
    }
}

/// Writes the fields of a message, whose Zig type has them in the ABI's order.
fn renderFields(into: *Writer, prefix: []const u8, message: anytype) Writer.Error!void {
    const T = @TypeOf(message);
    inline for (T.fields) |field| try renderField(into, prefix, field.name, @field(message, field.name));
}

fn renderField(into: *Writer, prefix: []const u8, name: []const u8, value: anytype) Writer.Error!void {
    switch (@TypeOf(value)) {
        []const u8 => try into.print("{s}{s}={s}\n", .{ prefix, name, value }),
        ?[]const u8 => if (value) |bytes| try renderField(into, prefix, name, bytes),
        []const []const u8 => for (value, 0..) |bytes, i| {
            try into.print("{s}{s}[{d}]={s}\n", .{ prefix, name, i, bytes });
        },
        i64 => try into.print("{s}{s}={d}\n", .{ prefix, name, value }),
        bool => try into.print("{s}{s}={d}\n", .{ prefix, name, @intFromBool(value) }),
        wasmsandbox.Shell => {
            try into.print("shell.mode={d}\n", .{@backingInt(value.mode)});
            try renderField(into, "shell.", "argv", value.argv);
        },
        wasmsandbox.Stream => try into.print("data.size={d}\ndata.position={d}\ndata.text={d}\n", .{
            value.content.size(), value.position, @intFromBool(value.text),
        }),
        []const wasmsandbox.PatchOperation => for (value, 0..) |operation, i| {
            var buffer: [40]u8 = undefined;
            const inner = std.fmt.bufPrint(&buffer, "operations[{d}].", .{i}) catch unreachable; // a number of 64 bits fits
            try renderFields(into, inner, operation);
        },
        else => comptime unreachable,
    }
}
