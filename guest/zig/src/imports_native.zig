//! The host's functions in native builds: a host in the same process, with the same
//! signatures as imports.zig. Tests look at what it was told, and set its limits.

const std = @import("std");
const Status = @import("host.zig").Status;

const gpa = std.heap.smp_allocator;

/// A line that a guest has logged.
pub const Line = struct { level: u32, text: []const u8 };

const Stored = struct { bytes: std.ArrayList(u8) = .empty, writable: bool };

/// What the host keeps for one call, and how it is limited.
pub const State = struct {
    log_bytes: u64 = 1 << 20,
    blob_bytes: u64 = 256 << 20,
    /// Lines in their order; they live until `reset`.
    lines: std.ArrayList(Line) = .empty,
    /// The last argument of `fail`, or null.
    failure: ?[]const u8 = null,
    logged: u64 = 0,
    written: u64 = 0,
    blobs: std.ArrayList(Stored) = .empty,

    /// Forgets lines, blobs and the failure, as between two calls.
    pub fn reset(self: *State) void {
        for (self.lines.items) |line| gpa.free(line.text);
        for (self.blobs.items) |*stored| stored.bytes.deinit(gpa);
        if (self.failure) |bytes| gpa.free(bytes);
        self.lines.clearAndFree(gpa);
        self.blobs.clearAndFree(gpa);
        self.failure = null;
        self.logged = 0;
        self.written = 0;
    }

    /// Adds a blob as the host does for large content of a call, and answers its handle.
    pub fn addBlob(self: *State, bytes: []const u8) !u32 {
        var stored: Stored = .{ .writable = false };
        try stored.bytes.appendSlice(gpa, bytes);
        try self.blobs.append(gpa, stored);
        return @intCast(self.blobs.items.len);
    }

    /// The bytes of a blob, or null if no blob has the handle.
    pub fn blob(self: *const State, handle: u32) ?[]const u8 {
        const stored = self.find(handle) orelse return null;
        return stored.bytes.items;
    }

    fn find(self: *const State, handle: u32) ?*Stored {
        if (handle == 0 or handle > self.blobs.items.len) return null;
        return &self.blobs.items[handle - 1];
    }
};

pub var state: State = .{};

pub fn log(level: u32, ptr: [*]const u8, len: usize) i32 {
    if (level > 3) return Status.bad_argument.number();
    const room = state.log_bytes - state.logged;
    const kept: usize = @intCast(@min(len, room));
    const text = gpa.dupe(u8, ptr[0..kept]) catch return Status.limit.number();
    state.lines.append(gpa, .{ .level = level, .text = text }) catch return Status.limit.number();
    state.logged += kept;
    return if (kept < len) Status.limit.number() else 0;
}

pub fn fail(ptr: [*]const u8, len: usize) i32 {
    if (state.failure) |bytes| gpa.free(bytes);
    state.failure = gpa.dupe(u8, ptr[0..len]) catch null;
    return 0;
}

pub fn blob_len(handle: u32) i64 {
    const bytes = state.blob(handle) orelse return Status.bad_handle.number();
    return @intCast(bytes.len);
}

pub fn blob_read(handle: u32, offset: u64, ptr: [*]u8, len: usize) i32 {
    if (offset > std.math.maxInt(i64) or len > std.math.maxInt(i32)) return Status.bad_argument.number();
    const bytes = state.blob(handle) orelse return Status.bad_handle.number();
    if (offset >= bytes.len) return 0;
    const rest = bytes[@intCast(offset)..];
    const count = @min(len, rest.len);
    @memcpy(ptr[0..count], rest[0..count]);
    return @intCast(count);
}

pub fn blob_new() i32 {
    state.blobs.append(gpa, .{ .writable = true }) catch return Status.limit.number();
    return @intCast(state.blobs.items.len);
}

pub fn blob_write(handle: u32, ptr: [*]const u8, len: usize) i32 {
    const stored = state.find(handle) orelse return Status.bad_handle.number();
    if (!stored.writable) return Status.bad_handle.number();
    if (len > std.math.maxInt(i32)) return Status.bad_argument.number();
    if (len > state.blob_bytes -| state.written) return Status.limit.number();
    stored.bytes.appendSlice(gpa, ptr[0..len]) catch return Status.limit.number();
    state.written += len;
    return @intCast(len);
}

pub fn extension(_: u32, _: [*]const u8, _: usize) i64 {
    return Status.unsupported.number();
}
