//! What the exports answer, and the report of a panic. Guests meet these messages
//! through the SDK only.

const Field = @import("schema.zig").Field;
const Method = @import("method.zig").Method;
const results = @import("results.zig");

/// The answer of every export.
pub const Reply = union(enum) {
    description: Description,
    verdict: results.Verdict,
    outcome: ?results.Outcome,
    guest_error: GuestError,
    done: results.Void,

    pub const message_name = "Reply";
    pub const fields = [_]Field{
        .message(1, "description"), .message(2, "verdict"), .message(3, "outcome"),
        .message(4, "guest_error"), .message(5, "done"),
    };
};

/// Who a guest is and which handlers it has.
pub const Description = struct {
    name: []const u8 = "",
    version: []const u8 = "",
    sdk: []const u8 = "",
    sdk_version: []const u8 = "",
    language: []const u8 = "",
    toolchain: []const u8 = "",
    handlers: []const HandlerDescription = &.{},
    config_schema: []const u8 = "",

    pub const message_name = "Description";
    pub const fields = [_]Field{
        .text(1, "name"),     .text(2, "version"),   .text(3, "sdk"),         .text(4, "sdk_version"),
        .text(5, "language"), .text(6, "toolchain"), .message(7, "handlers"), .text(8, "config_schema"),
    };
};

pub const HandlerDescription = struct {
    id: u32 = 0,
    name: []const u8 = "",
    kind: Kind = .unspecified,
    /// Empty: all.
    methods: []const Method = &.{},

    pub const Kind = enum(u8) { unspecified = 0, match = 1, respond = 2 };
    pub const message_name = "Handler";
    pub const fields = [_]Field{ .uint(1, "id"), .text(2, "name"), .enumeration(3, "kind"), .methods(4, "methods") };
};

/// Says that the guest has no answer.
pub const GuestError = struct {
    kind: Kind = .unspecified,
    message: []const u8 = "",

    pub const Kind = enum(u8) {
        unspecified = 0,
        handler_failed = 1,
        unknown_handler = 2,
        bad_message = 3,
        bad_config = 4,
        unsupported_method = 5,
    };
    pub const message_name = "GuestError";
    pub const fields = [_]Field{ .enumeration(1, "kind"), .text(2, "message") };
};

/// The argument of the import fail.
pub const Panic = struct {
    message: []const u8 = "",
    file: []const u8 = "",
    line: u32 = 0,
    stack: []const u8 = "",

    pub const message_name = "Panic";
    pub const fields = [_]Field{ .bytes(1, "message"), .bytes(2, "file"), .uint(3, "line"), .bytes(4, "stack") };
};
