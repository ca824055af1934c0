//! Handlers of output, content, the log and the host's functions.

const std = @import("std");
const wasmsandbox = @import("wasmsandbox");

const Call = wasmsandbox.Call;
const ExecRequest = wasmsandbox.ExecRequest;
const ExecResult = wasmsandbox.ExecResult;

var calls: i32 = 0;

pub fn count(call: *Call, _: ExecRequest) !ExecResult {
    calls += 1;
    call.log(.debug, try call.print("call {d}", .{calls}));
    return .{ .exit_code = calls };
}

pub fn checksum(call: *Call, request: wasmsandbox.WriteRequest) !void {
    const stream = request.data;
    var hash: std.hash.Fnv1a_32 = .init();
    var offset: u64 = 0;
    var piece: [4096]u8 = undefined;
    while (true) {
        const length = try stream.content.readAt(offset, &piece);
        if (length == 0) break;
        hash.update(piece[0..length]);
        offset += length;
    }
    call.log(.info, try call.print("size={d} position={d} text={d} fnv={d}", .{
        stream.content.size(), stream.position, @intFromBool(stream.text), hash.final(),
    }));
}

pub fn generate(call: *Call, request: wasmsandbox.ReadRequest) !wasmsandbox.Stream {
    const lines = try parse(call, usize, request.path);
    var out = call.writer();
    for (0..lines) |i| out.interface.print("{d}\n", .{i}) catch return out.failure.?;
    return .{ .content = try out.finish() };
}

pub fn big(call: *Call, request: ExecRequest) !ExecResult {
    if (request.command.len != 3) return call.fail("big takes three parts");
    return .{
        .stdout = try alphabet(call, request.command[0]),
        .stderr = try alphabet(call, request.command[1]),
        .exit_code = try parse(call, i32, request.command[2]),
    };
}

fn alphabet(call: *Call, length: []const u8) !wasmsandbox.Content {
    const bytes = try call.arena.alloc(u8, try parse(call, usize, length));
    for (bytes, 0..) |*byte, i| byte.* = 'a' + @as(u8, @intCast(i % 26));
    return .from(bytes);
}

pub fn log(call: *Call, request: ExecRequest) !ExecResult {
    for (request.command, 0..) |part, i| call.log(@fromBackingInt(@intCast(i % 4)), part);
    return .{};
}

pub fn startShell(_: *Call, request: wasmsandbox.PtyExecStartRequest) !wasmsandbox.PtyUpdate {
    return .{
        .process_id = 7,
        .output = .from("$ "),
        .original_token_count = if (request.max_output_tokens != 0) 12 else null,
    };
}

pub fn writeShell(_: *Call, request: wasmsandbox.PtyWriteStdinRequest) !wasmsandbox.PtyUpdate {
    if (std.mem.eql(u8, request.chars, "exit\n")) return .{ .output = .from("bye\n"), .exit_code = 0 };
    return .{ .process_id = request.session_id, .output = .from(request.chars) };
}

pub fn extension(call: *Call, _: ExecRequest) !ExecResult {
    return .{ .stdout = .from(try call.print("{d}", .{wasmsandbox.host.extension(7, "x")})) };
}

pub fn blobLen(call: *Call, request: wasmsandbox.WriteRequest) !void {
    switch (request.data.content) {
        .bytes => call.log(.info, "inline"),
        .blob => |blob| call.log(.info, try call.print("{d}", .{wasmsandbox.host.imports.blob_len(blob.handle)})),
    }
}

fn parse(call: *Call, comptime T: type, digits: []const u8) !T {
    return std.fmt.parseInt(T, digits, 10) catch return call.fail("not a number");
}
