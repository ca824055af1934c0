//! Reads messages. Every valid encoding is taken, what is malformed is refused with a
//! reason; texts and bytes of the result refer to the data.

const std = @import("std");
const schema = @import("schema.zig");
const Method = @import("method.zig").Method;
const value_module = @import("value.zig");

const Field = schema.Field;
const Value = value_module.Value;
const Entry = value_module.Entry;

/// Why a message is malformed, or `OutOfMemory`.
pub const Error = error{
    Truncated,
    Overflow,
    FieldNumber,
    WireType,
    Range,
    InvalidUtf8,
    Depth,
    TooMany,
    Missing,
    Enum,
    Digest,
    OutOfMemory,
};

/// How many embedded messages one message may have, at all levels together.
pub const max_messages = 1 << 18;

const WireType = enum(u3) { varint = 0, fixed64 = 1, bytes = 2, start_group = 3, end_group = 4, fixed32 = 5, _ };

const Tag = struct { number: u29, wire_type: WireType };

pub const Decoder = struct {
    /// Repeated fields are collected in it.
    arena: std.mem.Allocator,
    data: []const u8,
    position: usize = 0,
    /// Where the message that is being read ends.
    end: usize,
    depth: usize = 0,
    messages: usize = 0,
    /// The field, or else the message, that is being read: after a failure, the culprit.
    where: []const u8 = "",

    pub fn init(arena: std.mem.Allocator, data: []const u8) Decoder {
        return .{ .arena = arena, .data = data, .end = data.len };
    }

    /// Reads all data as one message.
    pub fn decode(self: *Decoder, comptime T: type) Error!T {
        if (@typeInfo(T) == .@"union") {
            var slot: ?T = null;
            try self.readMessage(?T, &slot);
            if (slot) |message| return self.complete(T, message);
            return self.missing(T.message_name ++ ".kind");
        }
        var message: T = .{};
        try self.readMessage(T, &message);
        return self.complete(T, message);
    }

    /// Checks that what must be there is there, once the message has been read.
    fn complete(self: *Decoder, comptime T: type, message: T) Error!T {
        if (@hasDecl(T, "oneof") and @field(message, T.oneof) == null) {
            return self.missing(T.message_name ++ "." ++ T.oneof);
        }
        if (@typeInfo(T) == .@"union" and @hasField(T, "outcome") and message == .outcome) {
            const outcome = message.outcome orelse return self.missing("Outcome.kind");
            if (outcome == .sandbox_error and outcome.sandbox_error.code.len == 0) {
                return self.missing("SandboxError.code");
            }
        }
        return message;
    }

    fn missing(self: *Decoder, where: []const u8) error{Missing} {
        self.where = where;
        return error.Missing;
    }

    /// Reads fields up to the end of the message on top of what the target has.
    fn readMessage(self: *Decoder, comptime T: type, target: *T) Error!void {
        if (T == Value) return self.readValue(target);
        switch (@typeInfo(T)) {
            .optional => |optional| return self.readUnion(optional.child, target),
            .@"union" => {
                var slot: ?T = target.*;
                try self.readUnion(T, &slot);
                target.* = slot.?;
                return;
            },
            else => {},
        }
        fields: while (try self.next(T.message_name)) |tag| {
            inline for (T.fields) |field| {
                if (tag.number == field.number) {
                    self.where = T.message_name ++ "." ++ comptime wireName(field.name);
                    try self.readField(field, tag, @FieldType(T, field.name), &@field(target, field.name));
                    continue :fields;
                }
            }
            if (@hasDecl(T, "oneof")) {
                const Union = @typeInfo(@FieldType(T, T.oneof)).optional.child;
                if (try self.readMember(Union, tag, &@field(target, T.oneof))) continue :fields;
            }
            try self.skip(tag);
        }
    }

    fn readUnion(self: *Decoder, comptime T: type, slot: *?T) Error!void {
        while (try self.next(T.message_name)) |tag| {
            if (!try self.readMember(T, tag, slot)) try self.skip(tag);
        }
    }

    /// Reads a member of a union. It is merged with what the same member had, and
    /// replaces any other. The answer is false if the union has no such member.
    fn readMember(self: *Decoder, comptime T: type, tag: Tag, slot: *?T) Error!bool {
        inline for (T.fields) |field| {
            if (tag.number == field.number) {
                self.where = T.message_name ++ "." ++ comptime wireName(field.name);
                const Payload = @FieldType(T, field.name);
                var payload: Payload = initial(Payload);
                if (slot.*) |current| {
                    if (current == @field(std.meta.Tag(T), field.name)) payload = @field(current, field.name);
                }
                try self.readField(field, tag, Payload, &payload);
                slot.* = @unionInit(T, field.name, payload);
                return true;
            }
        }
        return false;
    }

    fn readField(self: *Decoder, comptime field: Field, tag: Tag, comptime T: type, target: *T) Error!void {
        if (comptime schema.isRepeated(T, field.kind)) {
            const Element = schema.Element(T);
            var element: Element = initial(Element);
            try self.readField(field, tag, Element, &element);
            target.* = try self.append(Element, target.*, element);
            return;
        }
        const Set = switch (@typeInfo(T)) {
            .optional => |optional| if (field.kind == .message) T else optional.child,
            else => T,
        };
        target.* = switch (field.kind) {
            .uint => if (Set == u32) try self.readUint32(tag) else try self.readUint(tag),
            .int => @bitCast(try self.readUint(tag)),
            .sint => if (Set == i32) @intCast(unzigzag(try self.readUint32(tag))) else unzigzag(try self.readUint(tag)),
            .boolean => try self.readUint(tag) != 0,
            .enumeration => std.enums.fromInt(Set, try self.readUint(tag)) orelse return error.Enum,
            .bytes => try self.readBytes(tag),
            .digest => try self.readDigest(tag),
            .text => try self.readText(tag),
            .message => return self.readEmbedded(tag, Set, target),
            .methods => return self.readMethods(tag, target),
        };
    }

    fn readEmbedded(self: *Decoder, tag: Tag, comptime T: type, target: *T) Error!void {
        if (T == Value) {
            if (self.depth == value_module.max_depth) return error.Depth;
            self.depth += 1;
        }
        const outer = try self.enter(tag);
        try self.readMessage(T, target);
        self.end = outer;
        if (T == Value) self.depth -= 1;
    }

    /// Starts an embedded message. The answer is the end of the message around it.
    fn enter(self: *Decoder, tag: Tag) Error!usize {
        self.messages += 1;
        if (self.messages > max_messages) return error.TooMany;
        if (tag.wire_type != .bytes) return error.WireType;
        const length = try self.readLength();
        const outer = self.end;
        self.end = self.position + length;
        return outer;
    }

    fn readValue(self: *Decoder, target: *Value) Error!void {
        while (try self.next("Value")) |tag| switch (tag.number) {
            1 => {
                self.where = "Value.bool";
                target.* = .{ .bool = try self.readUint(tag) != 0 };
            },
            2 => {
                self.where = "Value.int";
                target.* = .{ .int = unzigzag(try self.readUint(tag)) };
            },
            3 => {
                self.where = "Value.text";
                target.* = .{ .text = try self.readText(tag) };
            },
            4 => {
                self.where = "Value.data";
                target.* = .{ .data = try self.readBytes(tag) };
            },
            5 => {
                self.where = "Value.list";
                const before: []const Value = if (target.* == .list) target.list else &.{};
                target.* = .{ .list = try self.readElements(tag, Value, "ValueList", "values", before) };
            },
            6 => {
                self.where = "Value.map";
                const before: []const Entry = if (target.* == .map) target.map else &.{};
                target.* = .{ .map = try self.readElements(tag, Entry, "ValueMap", "entries", before) };
            },
            else => try self.skip(tag),
        };
    }

    /// Reads a message that has nothing but a repeated field of number 1.
    fn readElements(
        self: *Decoder,
        tag: Tag,
        comptime T: type,
        comptime message_name: []const u8,
        comptime name: []const u8,
        before: []const T,
    ) Error![]const T {
        const outer = try self.enter(tag);
        var elements = before;
        while (try self.next(message_name)) |inner| {
            if (inner.number != 1) {
                try self.skip(inner);
                continue;
            }
            self.where = message_name ++ "." ++ name;
            var element: T = initial(T);
            try self.readEmbedded(inner, T, &element);
            elements = try self.append(T, elements, element);
        }
        self.end = outer;
        return elements;
    }

    fn readMethods(self: *Decoder, tag: Tag, target: *[]const Method) Error!void {
        if (tag.wire_type == .varint) {
            target.* = try self.append(Method, target.*, try self.readMethod());
            return;
        }
        if (tag.wire_type != .bytes) return error.WireType;
        const length = try self.readLength();
        const outer = self.end;
        self.end = self.position + length;
        while (self.position < self.end) target.* = try self.append(Method, target.*, try self.readMethod());
        self.end = outer;
    }

    fn readMethod(self: *Decoder) Error!Method {
        return std.enums.fromInt(Method, try self.readVarint()) orelse error.Enum;
    }

    /// Adds to a slice of this decoder, whose capacity is its length rounded up to a
    /// power of two.
    fn append(self: *Decoder, comptime T: type, slice: []const T, element: T) Error![]const T {
        if (slice.len == 0 or std.math.isPowerOfTwo(slice.len)) {
            const larger = try self.arena.alloc(T, @max(1, 2 * slice.len));
            @memcpy(larger[0..slice.len], slice);
            larger[slice.len] = element;
            return larger[0 .. slice.len + 1];
        }
        const grown = @constCast(slice.ptr)[0 .. slice.len + 1];
        grown[slice.len] = element;
        return grown;
    }

    /// Reads the next tag, or null at the end of the message.
    fn next(self: *Decoder, message_name: []const u8) Error!?Tag {
        self.where = message_name;
        if (self.position >= self.end) return null;
        const tag = try self.readVarint();
        const number = std.math.cast(u29, tag >> 3) orelse return error.FieldNumber;
        if (number == 0) return error.FieldNumber;
        return .{ .number = number, .wire_type = @fromBackingInt(@intCast(@as(u3, @truncate(tag)))) };
    }

    /// Passes over a field that the message doesn't define.
    fn skip(self: *Decoder, tag: Tag) Error!void {
        const length: usize = switch (tag.wire_type) {
            .varint => {
                _ = try self.readVarint();
                return;
            },
            .bytes => try self.readLength(),
            .fixed64 => 8,
            .fixed32 => 4,
            else => return error.WireType,
        };
        if (length > self.end - self.position) return error.Truncated;
        self.position += length;
    }

    fn readUint(self: *Decoder, tag: Tag) Error!u64 {
        if (tag.wire_type != .varint) return error.WireType;
        return self.readVarint();
    }

    fn readUint32(self: *Decoder, tag: Tag) Error!u32 {
        return std.math.cast(u32, try self.readUint(tag)) orelse error.Range;
    }

    fn readBytes(self: *Decoder, tag: Tag) Error![]const u8 {
        if (tag.wire_type != .bytes) return error.WireType;
        const length = try self.readLength();
        defer self.position += length;
        return self.data[self.position..][0..length];
    }

    fn readText(self: *Decoder, tag: Tag) Error![]const u8 {
        const bytes = try self.readBytes(tag);
        if (!std.unicode.utf8ValidateSlice(bytes)) return error.InvalidUtf8;
        return bytes;
    }

    fn readDigest(self: *Decoder, tag: Tag) Error![]const u8 {
        const bytes = try self.readBytes(tag);
        if (bytes.len != 0 and bytes.len != 32) return error.Digest;
        return bytes;
    }

    /// Reads a length and checks that as much is there.
    fn readLength(self: *Decoder) Error!usize {
        const length = try self.readVarint();
        if (length > self.end - self.position) return error.Truncated;
        return @intCast(length);
    }

    fn readVarint(self: *Decoder) Error!u64 {
        var number: u64 = 0;
        for (0..10) |i| {
            if (self.position >= self.end) return error.Truncated;
            const byte = self.data[self.position];
            self.position += 1;
            if (i == 9 and byte > 1) return error.Overflow;
            number |= @as(u64, byte & 0x7f) << @intCast(7 * i);
            if (byte < 0x80) return number;
        }
        unreachable; // the tenth byte is above 1 or the last
    }
};

fn unzigzag(number: u64) i64 {
    return @bitCast(number >> 1 ^ (0 -% (number & 1)));
}

/// What a field is before anything has been read.
fn initial(comptime T: type) T {
    return switch (@typeInfo(T)) {
        .pointer => &.{},
        .optional => null,
        .@"union" => if (T == Value) .null else T.empty,
        else => .{},
    };
}

/// The name that a field has in abi.proto, where other words are keywords than in Zig.
fn wireName(comptime name: []const u8) []const u8 {
    if (std.mem.eql(u8, name, "bytes")) return "inline";
    if (std.mem.eql(u8, name, "sandbox_error") or std.mem.eql(u8, name, "guest_error")) return "error";
    return name;
}
