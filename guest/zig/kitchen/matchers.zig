//! The matchers.

const std = @import("std");
const wasmsandbox = @import("wasmsandbox");

const Call = wasmsandbox.Call;
const Verdict = wasmsandbox.Verdict;

pub fn accept(_: *Call) !Verdict {
    return .accept;
}

pub fn undecided(_: *Call) !Verdict {
    return .undecided;
}

pub fn onlyGit(call: *Call) !Verdict {
    const command = call.request.exec.command;
    const name = if (command.len > 0) command[0] else "";
    if (std.mem.eql(u8, name, "git")) return .accept;
    return call.reject("not git", &.{.{ .field = "args[0]", .expected = "git", .actual = name }});
}

pub fn differ(call: *Call) !Verdict {
    return call.reject("two differences", &.{
        .{ .field = "a", .expected = "1", .actual = "2" },
        .{ .field = "b" },
    });
}

pub fn digest(call: *Call) !Verdict {
    const content = call.request.write.data.content;
    const reason = if (content.sha256()) |sha256| try call.print("{x}", .{sha256}) else "inline";
    const size = try call.print("{d}", .{content.size()});
    return call.reject(reason, &.{.{ .field = "data", .actual = size }});
}

pub fn broken(call: *Call) !Verdict {
    return call.fail("it's broken");
}

pub fn panics(_: *Call) !Verdict {
    wasmsandbox.panicAt(@src(), "deliberate panic");
}
