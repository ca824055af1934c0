//! The messages that every implementation of the ABI agrees on: testdata/abi/v1.

const std = @import("std");
const wasmsandbox = @import("wasmsandbox");

const testing = std.testing;
const wire = wasmsandbox.wire;

const vectors = "../../testdata/abi/v1/";

const Vector = struct {
    name: []const u8,
    text: []const u8,
    body: []const u8,

    /// The value of a header, or null.
    fn header(self: Vector, key: []const u8) ?[]const u8 {
        var lines = std.mem.splitScalar(u8, self.text, '\n');
        while (lines.next()) |line| {
            if (!std.mem.startsWith(u8, line, "# ")) continue;
            const colon = std.mem.indexOfScalar(u8, line, ':') orelse continue;
            if (std.mem.eql(u8, line[2..colon], key)) return std.mem.trim(u8, line[colon + 1 ..], " ");
        }
        return null;
    }
};

fn parseHex(arena: std.mem.Allocator, text: []const u8) ![]const u8 {
    var digits: std.ArrayList(u8) = .empty;
    for (text) |c| if (!std.ascii.isWhitespace(c)) try digits.append(arena, c);
    const bytes = try arena.alloc(u8, digits.items.len / 2);
    return std.fmt.hexToBytes(bytes, digits.items);
}

fn load(arena: std.mem.Allocator, comptime folder: []const u8) ![]const Vector {
    const io = testing.io;
    var dir = try std.Io.Dir.cwd().openDir(io, vectors ++ folder, .{ .iterate = true });
    defer dir.close(io);
    var list: std.ArrayList(Vector) = .empty;
    var files = dir.iterate();
    while (try files.next(io)) |file| {
        if (!std.mem.endsWith(u8, file.name, ".txt")) continue;
        const text = try dir.readFileAlloc(io, file.name, arena, .limited(16 << 20));
        var hex: std.ArrayList(u8) = .empty;
        var lines = std.mem.splitScalar(u8, text, '\n');
        while (lines.next()) |line| if (!std.mem.startsWith(u8, line, "#")) try hex.appendSlice(arena, line);
        try list.append(arena, .{
            .name = try arena.dupe(u8, file.name),
            .text = text,
            .body = try parseHex(arena, hex.items),
        });
    }
    try testing.expect(list.items.len > 0);
    return list.items;
}

/// Calls a function with the vector's message type.
fn dispatch(comptime function: anytype, arena: std.mem.Allocator, vector: Vector) !void {
    const message = vector.header("message") orelse return error.NoMessageHeader;
    if (std.mem.eql(u8, message, "Call")) return function(wire.Call, arena, vector);
    if (std.mem.eql(u8, message, "Open")) return function(wire.Open, arena, vector);
    if (std.mem.eql(u8, message, "Reply")) return function(wire.Reply, arena, vector);
    if (std.mem.eql(u8, message, "Panic")) return function(wire.Panic, arena, vector);
    return error.UnknownMessage;
}

fn forEach(comptime folder: []const u8, comptime function: anytype) !void {
    var arena: std.heap.ArenaAllocator = .init(testing.allocator);
    defer arena.deinit();
    for (try load(arena.allocator(), folder)) |vector| {
        dispatch(function, arena.allocator(), vector) catch |failure| {
            std.debug.print("{s}/{s}: {t}\n", .{ folder, vector.name, failure });
            return failure;
        };
    }
}

fn checkValid(comptime T: type, arena: std.mem.Allocator, vector: Vector) !void {
    var decoder: wire.Decoder = .init(arena, vector.body);
    const message = decoder.decode(T) catch |failure| {
        std.debug.print("at {s}\n", .{decoder.where});
        return failure;
    };
    const canonical = if (vector.header("canonical")) |hex| try parseHex(arena, hex) else vector.body;
    var encoder: wire.Encoder = .{ .allocator = arena };
    try testing.expectEqualSlices(u8, canonical, try encoder.encode(message));
}

fn checkMalformed(comptime T: type, arena: std.mem.Allocator, vector: Vector) !void {
    const Reason = enum {
        truncated,
        overflow,
        field_number,
        wire_type,
        range,
        invalid_utf8,
        depth,
        too_many,
        missing,
        @"enum",
        digest,
    };
    const header = vector.header("reason") orelse return error.NoReasonHeader;
    const reason = std.meta.stringToEnum(Reason, header) orelse return error.UnknownReason;
    var decoder: wire.Decoder = .init(arena, vector.body);
    try testing.expectError(switch (reason) {
        .truncated => error.Truncated,
        .overflow => error.Overflow,
        .field_number => error.FieldNumber,
        .wire_type => error.WireType,
        .range => error.Range,
        .invalid_utf8 => error.InvalidUtf8,
        .depth => error.Depth,
        .too_many => error.TooMany,
        .missing => error.Missing,
        .@"enum" => error.Enum,
        .digest => error.Digest,
    }, decoder.decode(T));
    try testing.expectEqualStrings(vector.header("field") orelse return error.NoFieldHeader, decoder.where);
}

test "valid vectors are read, and written in the canonical form" {
    try forEach("valid", checkValid);
}

test "malformed vectors are refused with their reason and field" {
    try forEach("malformed", checkMalformed);
}
