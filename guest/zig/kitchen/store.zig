//! Files in memory, by path. They live as long as the guest.

const std = @import("std");
const wasmsandbox = @import("wasmsandbox");

const Call = wasmsandbox.Call;

const File = struct { path: []const u8, bytes: []const u8 };

/// In ascending order of the paths' bytes.
var files: std.ArrayList(File) = .empty;

pub fn write(call: *Call, request: wasmsandbox.WriteRequest) !void {
    const allocator = call.session.allocator;
    const bytes = try request.data.content.readFrom(allocator, request.data.position);
    errdefer allocator.free(bytes);
    const i = search(request.path);
    if (holds(i, request.path)) {
        allocator.free(files.items[i].bytes);
        files.items[i].bytes = bytes;
        return;
    }
    const path = try allocator.dupe(u8, request.path);
    errdefer allocator.free(path);
    try files.insert(allocator, i, .{ .path = path, .bytes = bytes });
}

pub fn read(call: *Call, request: wasmsandbox.ReadRequest) !wasmsandbox.Stream {
    const i = search(request.path);
    if (holds(i, request.path)) return .{ .content = .from(files.items[i].bytes) };
    return call.raise(.{
        .code = wasmsandbox.code.workspace_read_not_found,
        .context = &.{.text("path", request.path)},
    });
}

pub fn rm(call: *Call, request: wasmsandbox.RmRequest) !void {
    const i = search(request.path);
    if (!holds(i, request.path)) return;
    const removed = files.orderedRemove(i);
    call.session.allocator.free(removed.path);
    call.session.allocator.free(removed.bytes);
}

pub fn ls(call: *Call, _: wasmsandbox.LsRequest) ![]const wasmsandbox.FileEntry {
    const entries = try call.arena.alloc(wasmsandbox.FileEntry, files.items.len);
    for (entries, files.items) |*entry, file| {
        entry.* = .{ .path = file.path, .size = file.bytes.len, .permissions = 0o644 };
    }
    return entries;
}

pub fn mkdir(call: *Call, _: wasmsandbox.MkdirRequest) !void {
    return call.raise(.{ .code = wasmsandbox.code.workspace_archive_write_error });
}

/// Where the file is, or would be.
fn search(path: []const u8) usize {
    for (files.items, 0..) |file, i| {
        if (!std.mem.lessThan(u8, file.path, path)) return i;
    }
    return files.items.len;
}

fn holds(i: usize, path: []const u8) bool {
    return i < files.items.len and std.mem.eql(u8, files.items[i].path, path);
}
