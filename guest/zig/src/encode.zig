//! Writes messages, from their end to their start: the length of what is embedded is
//! known when its tag is written, so that one pass is enough.

const std = @import("std");
const schema = @import("schema.zig");
const Value = @import("value.zig").Value;
const Entry = @import("value.zig").Entry;

const Field = schema.Field;

/// The only failure: the message doesn't fit into memory.
pub const Error = std.mem.Allocator.Error;

pub const Encoder = struct {
    allocator: std.mem.Allocator,
    /// The message is at the end of it.
    buffer: []u8 = &.{},
    /// Where the message starts.
    start: usize = 0,

    /// Encodes a message. The bytes live until the next call or `deinit`.
    pub fn encode(self: *Encoder, message: anytype) Error![]const u8 {
        self.start = self.buffer.len;
        try self.writeMessage(message);
        return self.buffer[self.start..];
    }

    /// Frees the buffer.
    pub fn deinit(self: *Encoder) void {
        self.allocator.free(self.buffer);
        self.* = .{ .allocator = self.allocator };
    }

    fn written(self: *const Encoder) usize {
        return self.buffer.len - self.start;
    }

    /// Makes room for bytes before all others; the caller fills it.
    fn prepend(self: *Encoder, count: usize) Error![]u8 {
        if (count > self.start) try self.grow(count);
        self.start -= count;
        return self.buffer[self.start..][0..count];
    }

    fn grow(self: *Encoder, count: usize) Error!void {
        const used = self.written();
        const needed = std.math.add(usize, used, count) catch return error.OutOfMemory;
        const larger = try self.allocator.alloc(u8, @max(512, needed +| needed / 2));
        @memcpy(larger[larger.len - used ..], self.buffer[self.start..]);
        self.allocator.free(self.buffer);
        self.buffer = larger;
        self.start = larger.len - used;
    }

    fn writeMessage(self: *Encoder, message: anytype) Error!void {
        const T = @TypeOf(message);
        if (T == Value) return self.writeValue(message);
        switch (@typeInfo(T)) {
            .optional => if (message) |set| try self.writeMessage(set),
            .@"union" => try self.writeMember(message),
            else => {
                if (@hasDecl(T, "oneof")) try self.writeMessage(@field(message, T.oneof));
                inline for (0..T.fields.len) |i| {
                    const field = comptime T.fields[T.fields.len - 1 - i];
                    try self.writeField(field, @field(message, field.name));
                }
            },
        }
    }

    /// Writes the member of a union that is set.
    fn writeMember(self: *Encoder, message: anytype) Error!void {
        switch (message) {
            inline else => |payload, tag| {
                const field = comptime fieldOf(@TypeOf(message), @tagName(tag));
                try self.writeSet(field, payload);
            },
        }
    }

    /// Writes a field of a struct unless it is left out by default.
    fn writeField(self: *Encoder, comptime field: Field, value: anytype) Error!void {
        const T = @TypeOf(value);
        if (comptime schema.isRepeated(T, field.kind)) {
            var i = value.len;
            while (i > 0) {
                i -= 1;
                try self.writeSet(field, value[i]);
            }
            return;
        }
        if (@typeInfo(T) == .optional) {
            if (value) |set| try self.writeSet(field, set);
            return;
        }
        const unset = switch (field.kind) {
            .uint, .int, .sint => value == 0,
            .boolean => !value,
            .enumeration => @backingInt(value) == 0,
            .bytes, .digest, .text, .methods => value.len == 0,
            .message => return self.writeUnlessEmpty(field, value),
        };
        if (!unset) try self.writeSet(field, value);
    }

    fn writeUnlessEmpty(self: *Encoder, comptime field: Field, value: anytype) Error!void {
        if (@hasDecl(@TypeOf(value), "isUnset") and value.isUnset()) return;
        const before = self.written();
        try self.writeMessage(value);
        if (self.written() > before) try self.writeLengthAndTag(field.number, before);
    }

    /// Writes a field that is set, whatever its value.
    fn writeSet(self: *Encoder, comptime field: Field, value: anytype) Error!void {
        const before = self.written();
        switch (field.kind) {
            .uint => return self.writeNumber(field.number, value),
            .int => return self.writeNumber(field.number, @bitCast(@as(i64, value))),
            .sint => return self.writeNumber(field.number, zigzag(value)),
            .boolean => return self.writeNumber(field.number, @intFromBool(value)),
            .enumeration => return self.writeNumber(field.number, @backingInt(value)),
            .bytes, .digest => @memcpy(try self.prepend(value.len), value),
            .text => try self.writeText(value),
            .message => try self.writeMessage(value),
            .methods => {
                var i = value.len;
                while (i > 0) {
                    i -= 1;
                    try self.writeVarint(@backingInt(value[i]));
                }
            },
        }
        try self.writeLengthAndTag(field.number, before);
    }

    fn writeNumber(self: *Encoder, number: u29, value: u64) Error!void {
        try self.writeVarint(value);
        try self.writeVarint(@as(u64, number) << 3);
    }

    fn writeLengthAndTag(self: *Encoder, number: u29, before: usize) Error!void {
        try self.writeVarint(self.written() - before);
        try self.writeVarint(@as(u64, number) << 3 | 2);
    }

    fn writeVarint(self: *Encoder, value: u64) Error!void {
        var digits: [10]u8 = undefined;
        var count: usize = 0;
        var rest = value;
        while (rest >= 0x80) : (rest >>= 7) {
            digits[count] = @as(u8, @truncate(rest)) | 0x80;
            count += 1;
        }
        digits[count] = @truncate(rest);
        @memcpy(try self.prepend(count + 1), digits[0 .. count + 1]);
    }

    /// Writes text; what isn't UTF-8 becomes U+FFFD.
    fn writeText(self: *Encoder, text: []const u8) Error!void {
        if (std.unicode.utf8ValidateSlice(text)) {
            @memcpy(try self.prepend(text.len), text);
            return;
        }
        var length: usize = 0;
        var pieces: TextPieces = .{ .rest = text };
        while (pieces.next()) |piece| length += piece.len;
        var into = try self.prepend(length);
        pieces = .{ .rest = text };
        while (pieces.next()) |piece| {
            @memcpy(into[0..piece.len], piece);
            into = into[piece.len..];
        }
    }

    fn writeValue(self: *Encoder, value: Value) Error!void {
        switch (value) {
            .null => {},
            .bool => |set| try self.writeSet(.boolean(1, "bool"), set),
            .int => |set| try self.writeSet(.sint(2, "int"), set),
            .text => |set| try self.writeSet(.text(3, "text"), set),
            .data => |set| try self.writeSet(.bytes(4, "data"), set),
            .list => |values| {
                const before = self.written();
                try self.writeField(.message(1, "values"), values);
                try self.writeLengthAndTag(5, before);
            },
            .map => |entries| {
                const before = self.written();
                try self.writeField(.message(1, "entries"), entries);
                try self.writeLengthAndTag(6, before);
            },
        }
    }
};

/// Cuts text into characters, with U+FFFD in place of each byte that belongs to none.
const TextPieces = struct {
    rest: []const u8,

    fn next(self: *TextPieces) ?[]const u8 {
        if (self.rest.len == 0) return null;
        const length = std.unicode.utf8ByteSequenceLength(self.rest[0]) catch 1;
        const valid = length <= self.rest.len and std.unicode.utf8ValidateSlice(self.rest[0..length]);
        const taken = if (valid) length else 1;
        defer self.rest = self.rest[taken..];
        return if (valid) self.rest[0..taken] else "\u{FFFD}";
    }
};

fn zigzag(value: i64) u64 {
    return @bitCast(value << 1 ^ value >> 63);
}

fn fieldOf(comptime T: type, comptime name: []const u8) Field {
    for (T.fields) |field| if (std.mem.eql(u8, field.name, name)) return field;
    @compileError(T.message_name ++ " has no field " ++ name);
}
