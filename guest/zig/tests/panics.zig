//! The report of a panic. The panic itself would end the tests; the conformance suite
//! runs it in WebAssembly.

const std = @import("std");
const wasmsandbox = @import("wasmsandbox");
const repeat = @import("repeat.zig").repeat;

const testing = std.testing;
const wire = wasmsandbox.wire;
const state = &wasmsandbox.host.imports.state;

fn reported(panic: wire.Panic) !wire.Panic {
    wire.report(panic);
    var decoder: wire.Decoder = .init(testing.allocator, state.failure orelse return error.NothingReported);
    return decoder.decode(wire.Panic);
}

test "a report has message, file and line" {
    defer state.reset();
    const panic = try reported(.{ .message = "deliberate", .file = "a.zig", .line = 12 });
    try testing.expectEqualStrings("deliberate", panic.message);
    try testing.expectEqualStrings("a.zig", panic.file);
    try testing.expectEqual(12, panic.line);
}

test "a long message is cut, and the report still sent" {
    defer state.reset();
    const panic = try reported(.{ .message = repeat(100_000, 'm'), .file = repeat(100_000, 'f'), .stack = repeat(100_000, 's') });
    try testing.expectEqual(4096, panic.message.len);
    try testing.expectEqual(4096, panic.file.len);
    try testing.expectEqual(4096, panic.stack.len);
}

test "a message that isn't UTF-8 is reported as it is" {
    defer state.reset();
    try testing.expectEqualStrings("\xff", (try reported(.{ .message = "\xff" })).message);
}
