//! The parts of the ABI that the SDK repeats by hand: imports and error codes.

const std = @import("std");
const wasmsandbox = @import("wasmsandbox");

const testing = std.testing;

fn load(path: []const u8) ![]u8 {
    return std.Io.Dir.cwd().readFileAlloc(testing.io, path, testing.allocator, .limited(1 << 20));
}

const import_names = [_][]const u8{ "log", "fail", "blob_len", "blob_read", "blob_new", "blob_write", "extension" };

/// The WebAssembly type that a parameter or result has in a guest.
fn wasmType(comptime T: type) []const u8 {
    return switch (T) {
        i32, u32, usize, [*]u8, [*]const u8 => " i32",
        i64, u64 => " i64",
        else => @compileError("no type of an import: " ++ @typeName(T)),
    };
}

/// A signature as "(i32 i32) i64", from the types of a function.
fn signatureOf(comptime name: []const u8) []const u8 {
    const function = @typeInfo(@TypeOf(@field(wasmsandbox.host.imports, name))).@"fn";
    var text: []const u8 = "(";
    for (function.param_types) |parameter| text = text ++ wasmType(parameter.?);
    return text ++ ")" ++ wasmType(function.return_type.?);
}

/// The same from a line of the specification.
fn signatureIn(line: []const u8, buffer: []u8) ![]const u8 {
    var text: std.Io.Writer = .fixed(buffer);
    try text.writeByte('(');
    var words = std.mem.tokenizeAny(u8, line, " ()`");
    var in_result = false;
    while (words.next()) |word| {
        if (std.mem.eql(u8, word, "result")) {
            in_result = true;
            try text.writeByte(')');
        }
        if (std.mem.eql(u8, word, "i32") or std.mem.eql(u8, word, "i64")) try text.print(" {s}", .{word});
    }
    try testing.expect(in_result);
    return text.buffered();
}

test "the imports are those of the specification" {
    const spec = try load("../../abi/SPEC.md");
    defer testing.allocator.free(spec);
    const prefix = "(import \"wasmsandbox_v1\" \"";
    var count: usize = 0;
    var lines = std.mem.splitScalar(u8, spec, '\n');
    while (lines.next()) |line| {
        if (!std.mem.startsWith(u8, line, prefix)) continue;
        count += 1;
        const name = std.mem.sliceTo(line[prefix.len..], '"');
        var buffer: [100]u8 = undefined;
        const wanted = try signatureIn(line[prefix.len..], &buffer);
        inline for (import_names) |known| {
            if (std.mem.eql(u8, known, name)) {
                try testing.expectEqualStrings(wanted, comptime signatureOf(known));
                break;
            }
        } else return error.UnknownImport;
    }
    try testing.expectEqual(import_names.len, count);
}

test "the error codes are those of the host" {
    const source = try load("../../abi/code.go");
    defer testing.allocator.free(source);
    const codes = comptime std.meta.declarations(wasmsandbox.code);
    var count: usize = 0;
    var lines = std.mem.splitScalar(u8, source, '\n');
    while (lines.next()) |line| {
        const start = std.mem.indexOf(u8, line, " Code = \"") orelse continue;
        const wanted = std.mem.sliceTo(line[start + 9 ..], '"');
        count += 1;
        inline for (codes) |name| {
            if (std.mem.eql(u8, name, wanted)) {
                try testing.expectEqualStrings(wanted, @field(wasmsandbox.code, name));
                break;
            }
        } else return error.UnknownCode;
    }
    try testing.expectEqual(codes.len, count);
}
