//! The functions that a guest exports.

const std = @import("std");
const host = @import("host.zig");
const handler = @import("handler.zig");
const instance_module = @import("instance.zig");

/// Exports a guest, from its root file: `comptime { wasmsandbox.exportGuest(guest); }`.
/// In native builds it only checks the guest's handlers.
pub fn exportGuest(comptime guest: instance_module.Guest) void {
    const handlers = handler.register(guest.handlers);
    if (!host.is_guest) return;
    const exports = struct {
        const described = guest.withoutHandlers();
        var instance: instance_module.Instance = .init(std.heap.page_allocator, &described, handlers);

        fn version() callconv(.c) u32 {
            return 0;
        }

        fn buffer(size: u32) callconv(.c) u32 {
            return @intFromPtr(instance.buffer(size) orelse return 0);
        }

        fn describe() callconv(.c) u64 {
            return place(instance.describe());
        }

        fn open(length: u32) callconv(.c) u64 {
            return place(instance.open(length));
        }

        fn match(id: u32, length: u32) callconv(.c) u64 {
            return place(instance.match(id, length));
        }

        fn respond(id: u32, length: u32) callconv(.c) u64 {
            return place(instance.respond(id, length));
        }

        fn close() callconv(.c) u64 {
            return place(instance.close());
        }
    };
    @export(&exports.version, .{ .name = "wasmsandbox_abi_v1" });
    @export(&exports.buffer, .{ .name = "wasmsandbox_buffer" });
    @export(&exports.describe, .{ .name = "wasmsandbox_describe" });
    @export(&exports.open, .{ .name = "wasmsandbox_open" });
    @export(&exports.match, .{ .name = "wasmsandbox_match" });
    @export(&exports.respond, .{ .name = "wasmsandbox_respond" });
    @export(&exports.close, .{ .name = "wasmsandbox_close" });
}

/// Address and length of a reply in one number.
fn place(reply: []const u8) u64 {
    return @as(u64, @intFromPtr(reply.ptr)) << 32 | reply.len;
}
