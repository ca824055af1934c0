//! How a Zig type is an ABI message. A message type declares
//!
//!     pub const message_name = "ExecRequest";
//!     pub const fields = [_]Field{ .bytes(1, "command"), .int(2, "timeout_ns") };
//!
//! with its fields in ascending order of their numbers. A tagged union is a message of
//! which one field is set. A struct may name a field that is an optional union by
//! `pub const oneof = "request"`; the union's fields are the struct's then, and come
//! after all others.

/// How a field is written: integers differ on the wire though their Zig type is the same.
pub const Kind = enum {
    /// An unsigned number of 32 or 64 bits.
    uint,
    /// A signed number as two's complement.
    int,
    /// A signed number as zigzag.
    sint,
    boolean,
    bytes,
    /// Bytes that are a SHA-256, or none.
    digest,
    /// UTF-8.
    text,
    enumeration,
    /// An embedded message.
    message,
    /// Method values, packed.
    methods,
};

/// One field of a message. Its presence follows from the Zig type: an optional is
/// written when it is set, a slice of messages or of bytes is repeated, and all else is
/// left out when it is zero or empty.
pub const Field = struct {
    number: u29,
    name: []const u8,
    kind: Kind,

    pub fn uint(number: u29, name: []const u8) Field {
        return .{ .number = number, .name = name, .kind = .uint };
    }

    pub fn int(number: u29, name: []const u8) Field {
        return .{ .number = number, .name = name, .kind = .int };
    }

    pub fn sint(number: u29, name: []const u8) Field {
        return .{ .number = number, .name = name, .kind = .sint };
    }

    pub fn boolean(number: u29, name: []const u8) Field {
        return .{ .number = number, .name = name, .kind = .boolean };
    }

    pub fn bytes(number: u29, name: []const u8) Field {
        return .{ .number = number, .name = name, .kind = .bytes };
    }

    pub fn digest(number: u29, name: []const u8) Field {
        return .{ .number = number, .name = name, .kind = .digest };
    }

    pub fn text(number: u29, name: []const u8) Field {
        return .{ .number = number, .name = name, .kind = .text };
    }

    pub fn enumeration(number: u29, name: []const u8) Field {
        return .{ .number = number, .name = name, .kind = .enumeration };
    }

    pub fn message(number: u29, name: []const u8) Field {
        return .{ .number = number, .name = name, .kind = .message };
    }

    pub fn methods(number: u29, name: []const u8) Field {
        return .{ .number = number, .name = name, .kind = .methods };
    }
};

/// Whether a Zig type is a repeated field of the kind.
pub fn isRepeated(comptime T: type, comptime kind: Kind) bool {
    return switch (kind) {
        .message => isSlice(T),
        .bytes => isSlice(T) and isSlice(Element(T)),
        else => false,
    };
}

/// The type of a slice's elements.
pub fn Element(comptime T: type) type {
    return @typeInfo(T).pointer.child;
}

fn isSlice(comptime T: type) bool {
    return switch (@typeInfo(T)) {
        .pointer => |pointer| pointer.size == .slice,
        else => false,
    };
}
