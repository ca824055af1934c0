//! Values of the configuration and of an error's context: JSON without fractions.

const std = @import("std");
const Field = @import("schema.zig").Field;

/// How deeply values may nest: one that holds no others has depth 1.
pub const max_depth = 64;

/// A value. Text is UTF-8; bytes are any.
pub const Value = union(enum) {
    null,
    bool: bool,
    int: i64,
    text: []const u8,
    data: []const u8,
    list: []const Value,
    map: []const Entry,
};

/// A value under a key.
pub const Entry = struct {
    key: []const u8 = "",
    value: Value = .null,

    pub fn boolean(key: []const u8, value: bool) Entry {
        return .{ .key = key, .value = .{ .bool = value } };
    }

    pub fn int(key: []const u8, value: i64) Entry {
        return .{ .key = key, .value = .{ .int = value } };
    }

    pub fn text(key: []const u8, value: []const u8) Entry {
        return .{ .key = key, .value = .{ .text = value } };
    }

    pub fn data(key: []const u8, value: []const u8) Entry {
        return .{ .key = key, .value = .{ .data = value } };
    }

    pub fn list(key: []const u8, values: []const Value) Entry {
        return .{ .key = key, .value = .{ .list = values } };
    }

    pub fn map(key: []const u8, entries: []const Entry) Entry {
        return .{ .key = key, .value = .{ .map = entries } };
    }

    pub const message_name = "Entry";
    pub const fields = [_]Field{ .text(1, "key"), .message(2, "value") };
};

/// What makes entries impossible to send.
pub const EntryError = error{ DuplicateKey, ValueTooDeep, OutOfMemory };

/// A copy of the entries in ascending order of their keys, at all levels, as a message
/// must have them. It shares texts and bytes with the original.
pub fn sorted(arena: std.mem.Allocator, entries: []const Entry) EntryError![]const Entry {
    return sortedEntries(arena, entries, 0);
}

/// Depth is how many values are around the entries.
fn sortedEntries(arena: std.mem.Allocator, entries: []const Entry, depth: usize) EntryError![]const Entry {
    const copy = try arena.dupe(Entry, entries);
    for (copy) |*entry| entry.value = try sortedValue(arena, entry.value, depth);
    std.sort.heap(Entry, copy, {}, keyAscends);
    for (copy, 0..) |entry, i| {
        if (i > 0 and std.mem.eql(u8, entry.key, copy[i - 1].key)) return error.DuplicateKey;
    }
    return copy;
}

fn sortedValue(arena: std.mem.Allocator, value: Value, depth: usize) EntryError!Value {
    if (depth == max_depth) return error.ValueTooDeep;
    switch (value) {
        .list => |values| {
            const copy = try arena.dupe(Value, values);
            for (copy) |*element| element.* = try sortedValue(arena, element.*, depth + 1);
            return .{ .list = copy };
        },
        .map => |entries| return .{ .map = try sortedEntries(arena, entries, depth + 1) },
        else => return value,
    }
}

fn keyAscends(_: void, a: Entry, b: Entry) bool {
    return std.mem.lessThan(u8, a.key, b.key);
}
