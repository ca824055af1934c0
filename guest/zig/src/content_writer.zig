//! Output that is made in pieces.

const std = @import("std");
const host = @import("host.zig");
const content = @import("content.zig");

const Writer = std.Io.Writer;

/// Collects output: use its `interface`, then `finish`. Little output stays in the
/// guest's memory; more than the inline limit goes to the host as a blob, of which the
/// guest holds no more than one buffer. It belongs to the call that made it and must not
/// be moved while it is written to.
pub const ContentWriter = struct {
    interface: Writer = .{ .vtable = &vtable, .buffer = &.{} },
    arena: std.mem.Allocator,
    /// Content longer than this goes to a blob.
    inline_bytes: u64,
    /// The number of the call that the writer belongs to.
    call: u64,
    blob: ?content.Blob = null,
    /// Why `interface` answered `error.WriteFailed`.
    failure: ?Error = null,

    pub const Error = host.Error || std.mem.Allocator.Error;

    const vtable: Writer.VTable = .{ .drain = drain, .flush = Writer.noopFlush, .rebase = rebase };

    /// What was written. Nothing may be written afterwards. It fails with what a write
    /// has failed with.
    pub fn finish(self: *ContentWriter) Error!content.Content {
        if (self.failure) |failure| return failure;
        if (self.blob == null) return .from(self.interface.buffered());
        try self.spill(self.interface.buffered());
        self.interface.end = 0;
        return .{ .blob = self.blob.? };
    }

    fn drain(interface: *Writer, data: []const []const u8, splat: usize) Writer.Error!usize {
        const self: *ContentWriter = @alignCast(@fieldParentPtr("interface", interface));
        for (data[0 .. data.len - 1]) |piece| try self.add(piece);
        for (0..splat) |_| try self.add(data[data.len - 1]);
        return Writer.countSplat(data, splat);
    }

    fn rebase(interface: *Writer, preserve: usize, capacity: usize) Writer.Error!void {
        const self: *ContentWriter = @alignCast(@fieldParentPtr("interface", interface));
        try self.reserve(preserve, capacity);
    }

    fn add(self: *ContentWriter, piece: []const u8) Writer.Error!void {
        const interface = &self.interface;
        if (piece.len > self.inline_bytes) {
            self.spill(interface.buffered()) catch |failure| return self.fail(failure);
            interface.end = 0;
            self.spill(piece) catch |failure| return self.fail(failure);
            return;
        }
        try self.reserve(0, piece.len);
        @memcpy(interface.buffer[interface.end..][0..piece.len], piece);
        interface.end += piece.len;
    }

    /// Makes room for more bytes. If the inline limit would be exceeded, what is
    /// buffered goes to the host, but for the last `preserve` bytes.
    fn reserve(self: *ContentWriter, preserve: usize, capacity: usize) Writer.Error!void {
        const interface = &self.interface;
        if (interface.end +| capacity > self.inline_bytes) {
            const kept = @min(preserve, interface.end);
            const moved = interface.end - kept;
            self.spill(interface.buffer[0..moved]) catch |failure| return self.fail(failure);
            @memmove(interface.buffer[0..kept], interface.buffer[moved..interface.end]);
            interface.end = kept;
        }
        if (interface.buffer.len - interface.end >= capacity) return;
        const needed = interface.end + capacity;
        const comfortable: usize = @intCast(@min(self.inline_bytes, 2 * needed + 64));
        const larger = self.arena.alloc(u8, @max(needed, comfortable)) catch |failure| return self.fail(failure);
        @memcpy(larger[0..interface.end], interface.buffered());
        self.arena.free(interface.buffer);
        interface.buffer = larger;
    }

    /// Appends to the blob.
    fn spill(self: *ContentWriter, bytes: []const u8) Error!void {
        if (self.blob == null) self.blob = .{ .handle = try host.blobNew(), .call = self.call };
        try host.blobWrite(self.blob.?.handle, bytes);
        self.blob.?.size += bytes.len;
    }

    fn fail(self: *ContentWriter, failure: Error) Writer.Error {
        self.failure = failure;
        return error.WriteFailed;
    }
};
