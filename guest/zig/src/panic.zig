//! Reports panics to the host.

const std = @import("std");
const host = @import("host.zig");
const Encoder = @import("encode.zig").Encoder;
const Panic = @import("replies.zig").Panic;

/// The panic handler of a guest: `pub const panic = wasmsandbox.panic;` in its root file
/// has every panic and every failed safety check reported with its message.
pub const panic = std.debug.FullPanic(panicked);

/// Panics with the place in the source, which Zig can't find out by itself in a module
/// without debug information: `wasmsandbox.panicAt(@src(), "no fixture")`.
pub fn panicAt(source: std.lang.SourceLocation, message: []const u8) noreturn {
    @branchHint(.cold);
    if (!host.is_guest) std.debug.panic("{s}:{d}: {s}", .{ source.file, source.line, message });
    report(.{ .message = message, .file = source.file, .line = source.line });
    @trap();
}

fn panicked(message: []const u8, _: ?usize) noreturn {
    @branchHint(.cold);
    report(.{ .message = message });
    @trap();
}

/// More of a text isn't reported.
const longest_text = 4096;

/// For the report, since there may be no memory left.
var memory: [4 * longest_text]u8 = undefined;
var reporting = false;

/// Tells the host about a panic. One that occurs meanwhile isn't reported.
pub fn report(about: Panic) void {
    if (reporting) return;
    reporting = true;
    defer reporting = false;
    var fixed: std.heap.FixedBufferAllocator = .init(&memory);
    const buffer = fixed.allocator().alloc(u8, memory.len) catch unreachable; // it is all of it
    var encoder: Encoder = .{ .allocator = fixed.allocator(), .buffer = buffer };
    const bytes = encoder.encode(Panic{
        .message = about.message[0..@min(about.message.len, longest_text)],
        .file = about.file[0..@min(about.file.len, longest_text)],
        .line = about.line,
        .stack = about.stack[0..@min(about.stack.len, longest_text)],
    }) catch return; // three short texts fit
    host.fail(bytes);
}
