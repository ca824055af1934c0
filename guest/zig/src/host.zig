//! The host's functions with slices for addresses and errors for negative answers.

const std = @import("std");
const builtin = @import("builtin");

/// Whether the code runs in a host; else the functions are those of a native stand-in.
pub const is_guest = builtin.cpu.arch.isWasm();

/// The functions themselves.
pub const imports = if (is_guest) @import("imports.zig") else @import("imports_native.zig");

comptime {
    if (is_guest) checkStandIn();
}

/// Has a guest's build fail unless the stand-in has every function, with the same types.
fn checkStandIn() void {
    const native = @import("imports_native.zig");
    for (std.meta.declarations(imports)) |name| {
        const wanted = @typeInfo(@TypeOf(@field(imports, name))).@"fn";
        const found = @typeInfo(@TypeOf(@field(native, name))).@"fn";
        if (found.return_type != wanted.return_type) @compileError(name ++ " has another result");
        if (found.param_types.len != wanted.param_types.len) @compileError(name ++ " has other parameters");
        for (found.param_types, wanted.param_types) |a, b| {
            if (a != b) @compileError(name ++ " has other parameters");
        }
    }
}

/// The negative answers of the host's functions.
pub const Status = enum(i32) {
    bad_pointer = -1,
    bad_handle = -2,
    bad_argument = -3,
    limit = -4,
    bad_message = -5,
    unsupported = -6,
    _,

    pub fn number(self: Status) i32 {
        return @backingInt(self);
    }
};

/// What a host function can answer instead of a result.
pub const Error = error{ BadPointer, BadHandle, BadArgument, HostLimit, BadHostMessage, Unsupported, UnknownStatus };

/// How important a line of the log is.
pub const Level = enum(u32) { debug = 0, info = 1, warn = 2, err = 3 };

/// Adds text to the record of the call. `error.HostLimit` says that the log is full and
/// the rest of the text is dropped.
pub fn log(level: Level, text: []const u8) Error!void {
    _ = try checked(imports.log(@backingInt(level), text.ptr, text.len));
}

/// Reports that the guest is about to die. The bytes are an encoded Panic.
pub fn fail(bytes: []const u8) void {
    _ = imports.fail(bytes.ptr, bytes.len); // a dying guest can't act on a refusal
}

/// The length of a blob in bytes.
pub fn blobLen(handle: u32) Error!u64 {
    return checked(imports.blob_len(handle));
}

/// Reads from a blob at an offset; the answer is how many bytes were read, fewer than
/// asked for at the end of the blob.
pub fn blobRead(handle: u32, offset: u64, into: []u8) Error!usize {
    return @intCast(try checked(imports.blob_read(handle, offset, into.ptr, @min(into.len, max_piece))));
}

/// Makes an empty blob, which can be written until the call ends.
pub fn blobNew() Error!u32 {
    return @intCast(try checked(imports.blob_new()));
}

/// Appends all bytes to a blob that this call made.
pub fn blobWrite(handle: u32, bytes: []const u8) Error!void {
    var rest = bytes;
    while (rest.len > 0) {
        const piece = rest[0..@min(rest.len, max_piece)];
        const written = try checked(imports.blob_write(handle, piece.ptr, piece.len));
        if (written == 0 or written > piece.len) return error.UnknownStatus;
        rest = rest[@intCast(written)..];
    }
}

/// Calls a function of a later minor version. Negative answers are the host's statuses.
pub fn extension(op: u32, argument: []const u8) i64 {
    return imports.extension(op, argument.ptr, argument.len);
}

/// The longest piece that one call of the host may read or write.
const max_piece = 1 << 30;

fn checked(answer: i64) Error!u64 {
    if (answer >= 0) return @intCast(answer);
    if (answer < -6) return error.UnknownStatus;
    return switch (@as(Status, @fromBackingInt(@intCast(answer)))) {
        .bad_pointer => error.BadPointer,
        .bad_handle => error.BadHandle,
        .bad_argument => error.BadArgument,
        .limit => error.HostLimit,
        .bad_message => error.BadHostMessage,
        .unsupported => error.Unsupported,
        else => error.UnknownStatus,
    };
}
