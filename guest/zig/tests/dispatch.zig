//! How a guest finds handlers, and what becomes of what they return.

const std = @import("std");
const wasmsandbox = @import("wasmsandbox");
const repeat = @import("repeat.zig").repeat;

const testing = std.testing;
const Call = wasmsandbox.Call;
const Session = wasmsandbox.testing.Session;

fn fixedExec(_: *Call, _: wasmsandbox.ExecRequest) wasmsandbox.ExecResult {
    return .{ .exit_code = 4 };
}

fn noWrite(call: *Call, _: wasmsandbox.WriteRequest) !void {
    if (call.index >= 0) return error.DiskIsFull;
}

fn branch(call: *Call, _: wasmsandbox.ExecRequest) !wasmsandbox.ExecResult {
    return .{ .stdout = .from(try call.config().text("branch") orelse "main") };
}

fn wrongKind(_: *Call) !wasmsandbox.Outcome {
    return .{ .text = "no listing" };
}

const returned_context = [_]wasmsandbox.Entry{ .int("b", 1), .int("a", 2) };

fn returnsError(_: *Call) !wasmsandbox.Outcome {
    return .{ .sandbox_error = .{ .code = "custom", .context = &returned_context } };
}

fn duplicateKeys(call: *Call, _: wasmsandbox.RmRequest) !void {
    return call.raise(.{ .code = "custom", .context = &.{ .int("a", 1), .int("a", 2) } });
}

fn unordered(call: *Call, _: wasmsandbox.LsRequest) ![]const wasmsandbox.FileEntry {
    return call.raise(.{ .code = "custom", .context = &.{
        .int("b", 1),
        .map("a", &.{ .int("d", 1), .int("c", 2) }),
    } });
}

fn noCode(call: *Call, _: wasmsandbox.MkdirRequest) !void {
    return call.raise(.{ .code = "" });
}

fn raisingMatcher(call: *Call) !wasmsandbox.Verdict {
    return call.raise(.{ .code = wasmsandbox.code.exec_timeout });
}

fn closing(session: *wasmsandbox.Session) !void {
    return session.fail("can't close");
}

const guest: wasmsandbox.Guest = .{
    .name = "test",
    .version = "0.0.1",
    .close = closing,
    .handlers = &.{
        wasmsandbox.write("files", noWrite),
        wasmsandbox.exec("fixed", fixedExec),
        wasmsandbox.rm("files", duplicateKeys),
        wasmsandbox.ls("files", unordered),
        wasmsandbox.mkdir("files", noCode),
        wasmsandbox.exec("branch", branch),
        wasmsandbox.respond("wrong", wasmsandbox.all_methods, wrongKind),
        wasmsandbox.respond("returns", &.{.ls}, returnsError),
        wasmsandbox.match("fixed", &.{.exec}, raisingMatcher),
    },
};

fn opened() !*Session {
    const session = try Session.init(guest);
    errdefer session.deinit();
    try session.open(.{});
    return session;
}

fn expectGuestError(session: *Session, kind: anytype, message: []const u8, result: anytype) !void {
    try testing.expectError(error.GuestError, result);
    try testing.expectEqual(kind, session.guest_error.?.kind);
    try testing.expectEqualStrings(message, session.guest_error.?.message);
}

test "responders of one name are one handler, and ids count from 1" {
    const session = try opened();
    defer session.deinit();
    const described = try session.describe();
    try testing.expectEqualStrings("zig", described.language);
    try testing.expectEqual(6, described.handlers.len);
    for (described.handlers, 1..) |handler, id| try testing.expectEqual(id, handler.id);
    try testing.expectEqualStrings("files", described.handlers[0].name);
    try testing.expectEqualSlices(wasmsandbox.Method, &.{ .ls, .mkdir, .rm, .write }, described.handlers[0].methods);
    try testing.expectEqualSlices(wasmsandbox.Method, &.{}, described.handlers[3].methods);
}

test "a handler without errors answers" {
    const session = try opened();
    defer session.deinit();
    try testing.expectEqual(4, (try session.exec("fixed", .{})).exit_code);
}

test "an error is a guest error with its name" {
    const session = try opened();
    defer session.deinit();
    try expectGuestError(session, .handler_failed, "DiskIsFull", session.write("files", .{}));
    try expectGuestError(session, .handler_failed, "WrongResult", session.ls("wrong", .{}));
    try expectGuestError(session, .handler_failed, "DuplicateKey", session.rm("files", .{}));
    try expectGuestError(session, .handler_failed, "NoErrorCode", session.mkdir("files", .{}));
    try expectGuestError(session, .handler_failed, "SandboxError", session.match("fixed", .{ .exec = .{} }));
    try expectGuestError(session, .handler_failed, "can't close", session.close());
}

test "a raised error's context is sorted at all levels" {
    const session = try opened();
    defer session.deinit();
    try testing.expectError(error.SandboxError, session.ls("files", .{}));
    const context = session.raised.?.context;
    try testing.expectEqualStrings("a", context[0].key);
    try testing.expectEqualStrings("c", context[0].value.map[0].key);
    try testing.expectEqualStrings("b", context[1].key);
    try testing.expectError(error.SandboxError, session.ls("returns", .{}));
    try testing.expectEqualStrings("a", session.raised.?.context[0].key);
}

test "methods and ids that aren't served are refused" {
    const session = try opened();
    defer session.deinit();
    try expectGuestError(session, .unsupported_method, "", session.read("files", .{}));
    const instance = &session.instance;
    for ([_]u32{ 0, 6, 7, std.math.maxInt(u32) }) |id| {
        var arena: std.heap.ArenaAllocator = .init(testing.allocator);
        defer arena.deinit();
        const reply = try decode(arena.allocator(), instance.respond(id, 0));
        try testing.expectEqual(.unknown_handler, reply.guest_error.kind);
    }
}

test "messages that can't be read are refused with the place" {
    const session = try opened();
    defer session.deinit();
    var arena: std.heap.ArenaAllocator = .init(testing.allocator);
    defer arena.deinit();
    const instance = &session.instance;
    instance.buffer(2).?[0..2].* = .{ 0x20, 0x01 };
    const malformed = (try decode(arena.allocator(), instance.respond(2, 2))).guest_error;
    try testing.expectEqual(.bad_message, malformed.kind);
    try testing.expectEqualStrings("Call.exec: WireType", malformed.message);
    const beyond = (try decode(arena.allocator(), instance.respond(2, 3))).guest_error;
    try testing.expectEqual(.bad_message, beyond.kind);
}

fn decode(arena: std.mem.Allocator, bytes: []const u8) !wasmsandbox.wire.Reply {
    var decoder: wasmsandbox.wire.Decoder = .init(arena, try arena.dupe(u8, bytes));
    return decoder.decode(wasmsandbox.wire.Reply);
}

test "the last of several settings of a key counts" {
    var settings: wasmsandbox.Settings = .{ .entries = &.{ .int("a", 1), .int("a", 2), .{ .key = "n" } } };
    try testing.expectEqual(2, try settings.int("a"));
    try testing.expectEqual(null, try settings.text("n"));
    try testing.expectEqual(null, try settings.boolean("none"));
    try testing.expectError(error.WrongSettingType, settings.text("a"));
}

test "a setting of another type makes the configuration unusable" {
    const session = try Session.init(guest);
    defer session.deinit();
    try session.open(.{ .config = &.{.int("branch", 5)} });
    try expectGuestError(session, .bad_config, "the setting branch is of another type", session.exec("branch", .{}));
}

test "a reply beyond the limit is for the host to refuse, and the guest lives on" {
    const session = try Session.init(guest);
    defer session.deinit();
    try session.open(.{ .config = &.{.text("branch", repeat(100, 'x'))}, .limits = .{ .reply_bytes = 50 } });
    try testing.expectError(error.ReplyLimit, session.exec("branch", .{}));
}
