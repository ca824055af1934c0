//! Responders with the same result for every call of a method.

const wasmsandbox = @import("wasmsandbox");

const Call = wasmsandbox.Call;
const Outcome = wasmsandbox.Outcome;

const full_listing = [_]wasmsandbox.FileEntry{
    .{ .path = "src", .permissions = 0o40755, .owner = "root", .group = "staff", .size = 4096, .kind = .directory },
    .{ .path = "a.txt", .permissions = 0o644, .owner = "root", .group = "staff", .size = 5 },
    .{ .path = "link", .permissions = 0o777, .kind = .symlink },
    .{ .path = "fifo", .permissions = 0o600, .owner = "u", .group = "g", .kind = .other },
};

pub fn full(call: *Call) !Outcome {
    return switch (call.request) {
        .apply_patch => |request| .{ .text = try call.print("patched {d}", .{request.operations.len}) },
        .exec => .{ .exec = .{ .stdout = .from("out\n"), .stderr = .from("err\n"), .exit_code = 3 } },
        .ls => .{ .listing = .{ .entries = &full_listing } },
        .pty_exec_start => .{ .pty = .{
            .process_id = 7,
            .output = .from("$ "),
            .original_token_count = 18446744073709551615,
        } },
        .pty_write_stdin => .{ .pty = .{ .output = .from("bye"), .exit_code = -1 } },
        .read => .{ .stream = .{ .content = .from("hello"), .position = 2, .text = true } },
        .mkdir, .rm, .write => .{ .void = .{} },
    };
}

pub fn empty(call: *Call) !Outcome {
    return switch (call.request) {
        .apply_patch => .{ .text = "" },
        .exec => .{ .exec = .{} },
        .ls => .{ .listing = .{} },
        .pty_exec_start, .pty_write_stdin => .{ .pty = .{} },
        .read => .{ .stream = .{} },
        .mkdir, .rm, .write => .{ .void = .{} },
    };
}
