//! Content: the bytes of a file or of an output, inside of the message or, when they are
//! many, with the host.

const std = @import("std");
const Field = @import("schema.zig").Field;
const host = @import("host.zig");

/// Content with a position.
pub const Stream = struct {
    /// All of it, also what lies before the position.
    content: Content = .empty,
    /// Bytes from the start; may be past the end.
    position: u64 = 0,
    /// Whether it is made of text, not of bytes.
    text: bool = false,

    pub const message_name = "Stream";
    pub const fields = [_]Field{ .message(1, "content"), .uint(2, "position"), .boolean(3, "text") };
};

/// Bytes of the guest, or a blob that the host holds. Content of a request may be
/// returned as it is: nothing is copied then. It lives until the handler returns.
pub const Content = union(enum) {
    bytes: []const u8,
    blob: Blob,

    /// No bytes.
    pub const empty: Content = .{ .bytes = "" };

    /// Content with these bytes, which it refers to.
    pub fn from(bytes: []const u8) Content {
        return .{ .bytes = bytes };
    }

    /// The length in bytes.
    pub fn size(self: Content) u64 {
        return switch (self) {
            .bytes => |bytes| bytes.len,
            .blob => |blob| blob.size,
        };
    }

    /// The SHA-256 that the host has sent with a blob, or null.
    pub fn sha256(self: Content) ?[]const u8 {
        return switch (self) {
            .bytes => null,
            .blob => |blob| if (blob.sha256.len == 0) null else blob.sha256,
        };
    }

    /// Reads from an offset until `into` is full or the content ends. The answer is how
    /// many bytes were read.
    pub fn readAt(self: Content, offset: u64, into: []u8) ReadError!usize {
        const rest = self.size() -| offset;
        const wanted = into[0..@intCast(@min(rest, into.len))];
        switch (self) {
            .bytes => |bytes| if (wanted.len > 0) @memcpy(wanted, bytes[@intCast(offset)..][0..wanted.len]),
            .blob => |blob| {
                var count: usize = 0;
                while (count < wanted.len) {
                    const read = try host.blobRead(blob.handle, offset + count, wanted[count..]);
                    if (read == 0 or read > wanted.len - count) return error.BlobEndsEarly;
                    count += read;
                }
            },
        }
        return wanted.len;
    }

    /// A copy of all bytes, which the caller owns. Large content is best read in pieces.
    pub fn readAll(self: Content, allocator: std.mem.Allocator) (ReadError || std.mem.Allocator.Error)![]u8 {
        return self.readFrom(allocator, 0);
    }

    /// A copy of the bytes from an offset on, which the caller owns.
    pub fn readFrom(self: Content, allocator: std.mem.Allocator, offset: u64) (ReadError || std.mem.Allocator.Error)![]u8 {
        const rest = std.math.cast(usize, self.size() -| offset) orelse return error.OutOfMemory;
        const bytes = try allocator.alloc(u8, rest);
        errdefer allocator.free(bytes);
        _ = try self.readAt(offset, bytes);
        return bytes;
    }

    /// Reads the content from its start as a stream, through the buffer given.
    pub fn reader(self: Content, buffer: []u8) ContentReader {
        return .init(self, buffer);
    }

    /// Whether a message leaves the content out.
    pub fn isUnset(self: Content) bool {
        return self == .bytes and self.bytes.len == 0;
    }

    pub const message_name = "Content";
    pub const fields = [_]Field{ .bytes(1, "bytes"), .message(2, "blob") };
};

pub const ReadError = host.Error || error{BlobEndsEarly};

/// Content that stays with the host.
pub const Blob = struct {
    handle: u32 = 0,
    /// In bytes.
    size: u64 = 0,
    sha256: []const u8 = "",
    /// The number of the call in which the handle is valid; no part of the message.
    call: u64 = 0,

    pub const message_name = "Blob";
    pub const fields = [_]Field{ .uint(1, "handle"), .uint(2, "size"), .digest(3, "sha256") };
};

/// Reads content as a stream: use its `interface`. It must not be moved meanwhile.
pub const ContentReader = struct {
    interface: std.Io.Reader,
    content: Content,
    /// Where the next piece is read.
    offset: u64 = 0,
    /// Why `interface` answered `error.ReadFailed`.
    failure: ?ReadError = null,

    fn init(content: Content, buffer: []u8) ContentReader {
        return .{
            .interface = .{ .vtable = &.{ .stream = stream }, .buffer = buffer, .seek = 0, .end = 0 },
            .content = content,
        };
    }

    fn stream(interface: *std.Io.Reader, into: *std.Io.Writer, limit: std.Io.Limit) std.Io.Reader.StreamError!usize {
        const self: *ContentReader = @alignCast(@fieldParentPtr("interface", interface));
        if (self.offset >= self.content.size()) return error.EndOfStream;
        const room = limit.slice(try into.writableSliceGreedy(1));
        const count = self.content.readAt(self.offset, room) catch |failure| {
            self.failure = failure;
            return error.ReadFailed;
        };
        self.offset += count;
        into.advance(count);
        return count;
    }
};
