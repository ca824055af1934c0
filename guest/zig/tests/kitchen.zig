//! The kitchen-sink guest's handlers, natively.

const std = @import("std");
const wasmsandbox = @import("wasmsandbox");
const kitchen = @import("kitchen");
const repeat = @import("repeat.zig").repeat;

const testing = std.testing;
const Session = wasmsandbox.testing.Session;

fn opened(options: wasmsandbox.testing.Options) !*Session {
    const session = try Session.init(kitchen.guest);
    errdefer session.deinit();
    try session.open(options);
    return session;
}

test "a depth above 9 is refused" {
    const session = try Session.init(kitchen.guest);
    defer session.deinit();
    try testing.expectError(error.GuestError, session.open(.{ .config = &.{.int("depth", 10)} }));
    try testing.expectEqual(.bad_config, session.guest_error.?.kind);
    try testing.expectEqualStrings("depth is at most 9", session.guest_error.?.message);
    try session.open(.{ .config = &.{.int("depth", 9)} });
}

test "calls are rendered field by field" {
    const session = try opened(.{ .start_time_ns = 1700000003000000000 });
    defer session.deinit();
    session.index = 3;
    const result = try session.exec("render", .{
        .command = &.{ "git", "status" },
        .shell = .{ .mode = .argv, .argv = &.{"bash"} },
        .user = "root",
    });
    const rendering =
        \\method=exec
        \\index=3
        \\time_ns=1700000003000000000
        \\command[0]=git
        \\command[1]=status
        \\timeout_ns=0
        \\shell.mode=2
        \\shell.argv[0]=bash
        \\user=root
        \\
    ;
    try testing.expectEqualStrings(rendering, result.stdout.bytes);
    try testing.expectEqualStrings(rendering, session.lines()[0].text);
    _ = try session.applyPatch("render", .{ .operations = &.{.{ .type = "update_file", .path = "a.txt", .diff = "@@" }} });
    try testing.expectEqualStrings(
        \\method=apply_patch
        \\index=4
        \\time_ns=1700000003000000000
        \\operations[0].type=update_file
        \\operations[0].path=a.txt
        \\operations[0].diff=@@
        \\patch_format=
        \\
    , session.lines()[0].text);
}

test "the configuration is rendered" {
    const session = try opened(.{ .config = &.{
        .data("bytes", "\x00\xff"),
        .list("list", &.{ .null, .{ .bool = true }, .{ .int = -7 }, .{ .text = "x" } }),
        .map("map", &.{ .int("a", 1), .int("b", 2) }),
    } });
    defer session.deinit();
    const result = try session.exec("config", .{});
    try testing.expectEqualStrings(
        \\bytes=0x00ff
        \\list=[null,true,-7,"x"]
        \\map={a=1,b=2}
        \\
    , result.stdout.bytes);
}

test "the store keeps content from its position on" {
    const session = try opened(.{});
    defer session.deinit();
    try session.write("store", .{ .path = "b", .data = .{ .content = .from("hello"), .position = 2 } });
    try session.write("store", .{ .path = "a", .data = .{ .content = .from("x"), .position = 9 } });
    try testing.expectEqualStrings("llo", (try session.read("store", .{ .path = "b" })).content.bytes);
    const entries = try session.ls("store", .{});
    try testing.expectEqual(2, entries.len);
    try testing.expectEqualStrings("a", entries[0].path);
    try testing.expectEqual(0, entries[0].size);
    try session.rm("store", .{ .path = "a" });
    try session.rm("store", .{ .path = "b" });
    try session.rm("store", .{ .path = "none" });
    try testing.expectError(error.SandboxError, session.read("store", .{ .path = "b" }));
    try testing.expectEqualStrings("workspace_read_not_found", session.raised.?.code);
    try testing.expectEqualStrings("b", session.raised.?.context[0].value.text);
}

test "errors are raised with their context" {
    const session = try opened(.{});
    defer session.deinit();
    const command = [_][]const u8{ "custom", "op", "message", "yes", "full" };
    try testing.expectError(error.SandboxError, session.exec("raise", .{ .command = &command }));
    try testing.expectEqual(.yes, session.raised.?.retryable);
    try testing.expectEqual(9, session.raised.?.context.len);
    try testing.expectError(error.GuestError, session.exec("raise", .{ .command = command[0..4] }));
    try testing.expectError(error.GuestError, session.exec("broken", .{}));
    try testing.expectEqualStrings("it's broken", session.guest_error.?.message);
}

test "large output is moved to blobs" {
    const session = try opened(.{});
    defer session.deinit();
    const result = try session.exec("big", .{ .command = &.{ "70000", "3", "-1" } });
    try testing.expectEqual(70000, result.stdout.bytes.len);
    try testing.expectEqual('a' + 69999 % 26, result.stdout.bytes[69999]);
    try testing.expectEqualStrings("abc", result.stderr.bytes);
    try testing.expectEqual(-1, result.exit_code);
    const generated = try session.read("generate", .{ .path = "20000" });
    try testing.expectEqual(108890, generated.content.bytes.len);
    try testing.expect(std.mem.endsWith(u8, generated.content.bytes, "\n19998\n19999\n"));
}

test "a checksum is over the whole content" {
    const session = try opened(.{});
    defer session.deinit();
    try session.write("checksum", .{ .data = .{ .content = .from("hello"), .position = 2, .text = true } });
    try testing.expectEqualStrings("size=5 position=2 text=1 fnv=1335831723", session.lines()[0].text);
    try session.write("blob_len", .{ .data = .{ .content = .from(repeat(70000, 'z')) } });
    try testing.expectEqualStrings("70000", session.lines()[0].text);
}

test "matchers give verdicts" {
    const session = try opened(.{});
    defer session.deinit();
    const git: wasmsandbox.Request = .{ .exec = .{ .command = &.{"git"} } };
    try testing.expectEqual(.accept, (try session.match("only_git", git)).answer);
    const rejected = try session.match("only_git", .{ .exec = .{ .command = &.{"ls"} } });
    try testing.expectEqualStrings("not git", rejected.reason);
    try testing.expectEqualStrings("ls", rejected.differences[0].actual);
    try testing.expectEqual(.none, (try session.match("undecided", git)).answer);
    const digest = try session.match("digest", .{ .write = .{ .data = .{ .content = .from(repeat(70000, 'z')) } } });
    try testing.expectEqual(64, digest.reason.len);
    try testing.expectEqualStrings("70000", digest.differences[0].actual);
}
