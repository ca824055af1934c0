//! What the vectors leave open of encoding and decoding.

const std = @import("std");
const wasmsandbox = @import("wasmsandbox");
const repeat = @import("repeat.zig").repeat;

const testing = std.testing;
const wire = wasmsandbox.wire;

fn roundTrip(arena: std.mem.Allocator, message: wire.Reply) !wire.Reply {
    var encoder: wire.Encoder = .{ .allocator = arena };
    var decoder: wire.Decoder = .init(arena, try encoder.encode(message));
    return decoder.decode(wire.Reply);
}

test "text that isn't UTF-8 is written with replacement characters" {
    var arena: std.heap.ArenaAllocator = .init(testing.allocator);
    defer arena.deinit();
    for ([_][2][]const u8{
        .{ "a\xffb", "a\u{FFFD}b" },
        .{ "\xc3", "\u{FFFD}" },
        .{ "é\xe2\x82", "é\u{FFFD}\u{FFFD}" },
        .{ "\xed\xa0\x80", "\u{FFFD}\u{FFFD}\u{FFFD}" },
    }) |pair| {
        const reply = try roundTrip(arena.allocator(), .{ .guest_error = .{ .message = pair[0] } });
        try testing.expectEqualStrings(pair[1], reply.guest_error.message);
    }
}

test "more embedded messages than allowed are refused" {
    var arena: std.heap.ArenaAllocator = .init(testing.allocator);
    defer arena.deinit();
    const limit = 1 << 18;
    const bytes = try arena.allocator().alloc(u8, 2 * (limit + 1));
    for (bytes, 0..) |*byte, i| byte.* = if (i % 2 == 0) 0x0a else 0; // an empty entry
    var at_limit: wire.Decoder = .init(arena.allocator(), bytes[0 .. 2 * limit]);
    try testing.expectEqual(limit, (try at_limit.decode(wire.Open)).config.len);
    var above: wire.Decoder = .init(arena.allocator(), bytes);
    try testing.expectError(error.TooMany, above.decode(wire.Open));
}

test "every prefix of a message is taken or refused, never read beyond" {
    var arena: std.heap.ArenaAllocator = .init(testing.allocator);
    defer arena.deinit();
    var encoder: wire.Encoder = .{ .allocator = arena.allocator() };
    const bytes = try encoder.encode(wire.Call{ .index = 300, .request = .{ .exec = .{
        .command = &.{ "git", "status" },
        .shell = .{ .mode = .argv, .argv = &.{"bash"} },
        .user = "root",
    } } });
    var refused: usize = 0;
    for (0..bytes.len) |length| {
        const prefix = try testing.allocator.dupe(u8, bytes[0..length]); // checked for reads beyond it
        defer testing.allocator.free(prefix);
        var decoder: wire.Decoder = .init(arena.allocator(), prefix);
        _ = decoder.decode(wire.Call) catch {
            refused += 1;
        };
    }
    try testing.expectEqual(bytes.len, refused);
}

test "random changes of a message never crash the reader" {
    var random: std.Random.DefaultPrng = .init(1);
    var arena: std.heap.ArenaAllocator = .init(testing.allocator);
    defer arena.deinit();
    var encoder: wire.Encoder = .{ .allocator = testing.allocator };
    defer encoder.deinit();
    const bytes = try encoder.encode(wire.Open{ .seed = 7, .config = &.{
        .list("list", &.{ .null, .{ .int = -5 }, .{ .text = "x" } }),
        .map("map", &.{.boolean("b", true)}),
    } });
    var taken: usize = 0;
    for (0..20_000) |_| {
        _ = arena.reset(.retain_capacity);
        const changed = try arena.allocator().dupe(u8, bytes);
        changed[random.random().uintLessThan(usize, changed.len)] = random.random().int(u8);
        var decoder: wire.Decoder = .init(arena.allocator(), changed);
        if (decoder.decode(wire.Open)) |_| {
            taken += 1;
        } else |failure| try testing.expect(failure != error.OutOfMemory);
    }
    try testing.expect(taken > 0 and taken < 20_000);
}

test "encoding reports missing memory" {
    const Check = struct {
        fn run(allocator: std.mem.Allocator) !void {
            var encoder: wire.Encoder = .{ .allocator = allocator };
            defer encoder.deinit();
            _ = try encoder.encode(wire.Reply{ .outcome = .{ .text = repeat(2000, 'x') } });
        }
    };
    try testing.checkAllAllocationFailures(testing.allocator, Check.run, .{});
}
