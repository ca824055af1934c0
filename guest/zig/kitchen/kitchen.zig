//! The kitchen-sink guest in Zig: it uses all of the ABI, as guest/kitchen/README.md
//! says.

const wasmsandbox = @import("wasmsandbox");
const failures = @import("failures.zig");
const matchers = @import("matchers.zig");
const outputs = @import("outputs.zig");
const render = @import("render.zig");
const results = @import("results.zig");
const settings = @import("settings.zig");
const store = @import("store.zig");

pub const panic = wasmsandbox.panic;

pub const guest: wasmsandbox.Guest = .{
    .name = "kitchen-sink",
    .version = "1.0.0",
    .config_schema = "{\"type\":\"object\"}",
    .open = settings.checkDepth,
    .handlers = &.{
        wasmsandbox.respond("render", wasmsandbox.all_methods, render.respond),
        wasmsandbox.respond("results", wasmsandbox.all_methods, results.full),
        wasmsandbox.respond("empty", wasmsandbox.all_methods, results.empty),
        wasmsandbox.exec("raise", failures.raise),
        wasmsandbox.read("store", store.read),
        wasmsandbox.write("store", store.write),
        wasmsandbox.rm("store", store.rm),
        wasmsandbox.ls("store", store.ls),
        wasmsandbox.mkdir("store", store.mkdir),
        wasmsandbox.exec("count", outputs.count),
        wasmsandbox.write("checksum", outputs.checksum),
        wasmsandbox.read("generate", outputs.generate),
        wasmsandbox.exec("big", outputs.big),
        wasmsandbox.exec("log", outputs.log),
        wasmsandbox.exec("config", settings.config),
        wasmsandbox.exec("setting", settings.setting),
        wasmsandbox.exec("session", settings.session),
        wasmsandbox.ptyExecStart("shell", outputs.startShell),
        wasmsandbox.ptyWriteStdin("shell", outputs.writeShell),
        wasmsandbox.exec("extension", outputs.extension),
        wasmsandbox.write("blob_len", outputs.blobLen),
        wasmsandbox.exec("broken", failures.broken),
        wasmsandbox.exec("panic", failures.panics),
        wasmsandbox.match("accept", wasmsandbox.all_methods, matchers.accept),
        wasmsandbox.match("undecided", wasmsandbox.all_methods, matchers.undecided),
        wasmsandbox.match("only_git", &.{.exec}, matchers.onlyGit),
        wasmsandbox.match("differ", wasmsandbox.all_methods, matchers.differ),
        wasmsandbox.match("digest", &.{.write}, matchers.digest),
        wasmsandbox.match("broken", &.{.exec}, matchers.broken),
        wasmsandbox.match("panic", &.{.exec}, matchers.panics),
    },
};

comptime {
    wasmsandbox.exportGuest(guest);
}
