//! Content, blobs, readers and writers.

const std = @import("std");
const wasmsandbox = @import("wasmsandbox");
const repeat = @import("repeat.zig").repeat;

const testing = std.testing;
const Call = wasmsandbox.Call;
const Session = wasmsandbox.testing.Session;
const state = &wasmsandbox.host.imports.state;

var kept: wasmsandbox.Content = .empty;

fn keep(call: *Call) !wasmsandbox.Outcome {
    switch (call.request) {
        .write => |request| {
            kept = request.data.content;
            return .{ .void = .{} };
        },
        else => return .{ .stream = .{ .content = kept } },
    }
}

/// Reads all through a std.Io.Reader, and logs it.
fn stream(call: *Call, request: wasmsandbox.WriteRequest) !void {
    var buffer: [7]u8 = undefined;
    var reader = request.data.content.reader(&buffer);
    var text: std.Io.Writer.Allocating = .init(call.arena);
    _ = try reader.interface.streamRemaining(&text.writer);
    call.log(.warn, text.written());
}

/// Writes pieces of the lengths that the command names.
fn pieces(call: *Call, request: wasmsandbox.ExecRequest) !wasmsandbox.ExecResult {
    var out = call.writer();
    var next: u8 = 'a';
    for (request.command) |length| {
        const piece = try call.arena.alloc(u8, try std.fmt.parseInt(usize, length, 10));
        @memset(piece, next);
        next += 1;
        out.interface.writeAll(piece) catch return out.failure.?;
    }
    return .{ .stdout = try out.finish() };
}

fn rebased(call: *Call, _: wasmsandbox.ReadRequest) !wasmsandbox.Stream {
    var out = call.writer();
    for (0..5) |i| {
        const space = try out.interface.writableSlice(6);
        @memset(space, '0' + @as(u8, @intCast(i)));
    }
    try out.interface.splatByteAll('x', 20);
    return .{ .content = try out.finish() };
}

fn double(call: *Call, request: wasmsandbox.WriteRequest) !void {
    const bytes = try request.data.content.readAll(call.arena);
    call.log(.info, bytes);
    var two: [2]u8 = undefined;
    const count = try request.data.content.readAt(bytes.len - 1, &two);
    call.log(.info, try call.print("{d} {d}", .{ count, try request.data.content.readAt(bytes.len + 5, &two) }));
}

const guest: wasmsandbox.Guest = .{ .name = "contents", .version = "1", .handlers = &.{
    wasmsandbox.respond("keep", &.{ .read, .write }, keep),
    wasmsandbox.write("stream", stream),
    wasmsandbox.exec("pieces", pieces),
    wasmsandbox.read("rebased", rebased),
    wasmsandbox.write("double", double),
} };

fn opened(blob_bytes: u64) !*Session {
    const session = try Session.init(guest);
    errdefer session.deinit();
    try session.open(.{ .limits = .{ .inline_bytes = 16, .blob_bytes = blob_bytes } });
    return session;
}

test "content is read alike inline and from a blob" {
    const session = try opened(1000);
    defer session.deinit();
    for ([_][]const u8{ "short", "longer than sixteen bytes" }) |text| {
        try session.write("stream", .{ .data = .{ .content = .from(text) } });
        try testing.expectEqualStrings(text, session.lines()[0].text);
        try testing.expectEqual(2, session.lines()[0].level);
        try session.write("double", .{ .data = .{ .content = .from(text) } });
        try testing.expectEqualStrings(text, session.lines()[0].text);
        try testing.expectEqualStrings("1 0", session.lines()[1].text);
    }
}

test "output up to the limit stays inline, more goes to one blob" {
    const session = try opened(1000);
    defer session.deinit();
    const inside = try session.exec("pieces", .{ .command = &.{ "7", "9" } });
    try testing.expectEqualStrings("aaaaaaabbbbbbbbb", inside.stdout.bytes);
    try testing.expectEqual(0, state.blobs.items.len);
    _ = try session.exec("pieces", .{ .command = &.{"16"} });
    try testing.expectEqual(0, state.blobs.items.len);
    const beyond = try session.exec("pieces", .{ .command = &.{ "7", "10", "40", "0", "16", "1" } });
    try testing.expectEqualStrings(repeat(7, 'a') ++ repeat(10, 'b') ++ repeat(40, 'c') ++ repeat(16, 'e') ++ "f", beyond.stdout.bytes);
    try testing.expectEqual(1, state.blobs.items.len);
}

test "the writer serves slices of its buffer" {
    const session = try opened(1000);
    defer session.deinit();
    const result = try session.read("rebased", .{});
    try testing.expectEqualStrings("000000111111222222333333444444" ++ repeat(20, 'x'), result.content.bytes);
}

test "a blob that can't be written is an error of the call" {
    const session = try opened(20);
    defer session.deinit();
    try testing.expectError(error.GuestError, session.exec("pieces", .{ .command = &.{"30"} }));
    try testing.expectEqualStrings("HostLimit", session.guest_error.?.message);
}

test "content of an earlier call can't be returned" {
    const session = try opened(1000);
    defer session.deinit();
    try session.write("keep", .{ .data = .{ .content = .from("longer than sixteen bytes") } });
    try testing.expect(kept.sha256() != null);
    try testing.expectError(error.GuestError, session.read("keep", .{}));
    try testing.expectEqualStrings("ContentExpired", session.guest_error.?.message);
}
