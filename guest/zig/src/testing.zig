//! Calls a guest's handlers in native tests, through the dispatch and the encoding that
//! the host uses, without WebAssembly.
//!
//!     const session = try wasmsandbox.testing.Session.init(guest);
//!     defer session.deinit();
//!     try session.open(.{ .config = &.{.text("branch", "trunk")} });
//!     const result = try session.exec("status", .{ .command = &.{ "git", "status" } });
//!     try std.testing.expectEqualStrings("on branch trunk\n", result.stdout.bytes);
//!
//! The host of native builds is one for the whole process: one session at a time.

const std = @import("std");
const content = @import("content.zig");
const handler = @import("handler.zig");
const host = @import("host.zig");
const instance_module = @import("instance.zig");
const replies = @import("replies.zig");
const requests = @import("requests.zig");
const results = @import("results.zig");
const sandbox_error = @import("sandbox_error.zig");
const value = @import("value.zig");
const Decoder = @import("decode.zig").Decoder;
const Encoder = @import("encode.zig").Encoder;

const native = @import("imports_native.zig");

/// What the session is opened with.
pub const Options = struct {
    config: []const value.Entry = &.{},
    seed: u64 = 0,
    start_time_ns: i64 = 0,
    limits: requests.Limits = .{},
};

/// How a call ends without a result.
pub const Error = error{
    /// The handler has raised a sandbox error: `Session.raised`.
    SandboxError,
    /// The guest has no answer: `Session.guest_error`.
    GuestError,
    /// The guest has no handler of that name.
    NoSuchHandler,
    /// The guest's reply is longer than the session's limit.
    ReplyLimit,
    /// What the guest replied is malformed, or of a kind that doesn't fit.
    BadReply,
    OutOfMemory,
};

/// A session with one guest. Results, lines and errors live until `deinit`.
pub const Session = struct {
    instance: instance_module.Instance,
    arena: std.heap.ArenaAllocator,
    /// The position of the next call, which counts up.
    index: u64 = 0,
    /// The virtual time of the next call.
    time_ns: i64 = 0,
    /// The longest reply that is taken.
    reply_bytes: u64 = (requests.Limits{}).withDefaults().reply_bytes,
    raised: ?sandbox_error.SandboxError = null,
    guest_error: ?replies.GuestError = null,

    /// A session that isn't open yet. The caller calls `deinit`.
    pub fn init(comptime guest: instance_module.Guest) Error!*Session {
        const allocator = std.heap.smp_allocator;
        const self = try allocator.create(Session);
        const constant = struct {
            const handlers = handler.register(guest.handlers);
            const described = guest.withoutHandlers();
        };
        self.* = .{
            .instance = .init(allocator, &constant.described, constant.handlers),
            .arena = .init(allocator),
        };
        native.state.reset();
        return self;
    }

    /// Frees everything but what the guest keeps in its variables.
    pub fn deinit(self: *Session) void {
        native.state.reset();
        self.instance.deinit();
        self.arena.deinit();
        std.heap.smp_allocator.destroy(self);
    }

    /// Opens the guest. It fails with `error.GuestError` when the guest refuses its
    /// configuration.
    pub fn open(self: *Session, options: Options) Error!void {
        const limits = options.limits.withDefaults();
        native.state.log_bytes = limits.log_bytes;
        native.state.blob_bytes = limits.blob_bytes;
        self.reply_bytes = limits.reply_bytes;
        self.time_ns = options.start_time_ns;
        const config = value.sorted(self.arena.allocator(), options.config) catch |failure| switch (failure) {
            error.OutOfMemory => return error.OutOfMemory,
            error.DuplicateKey, error.ValueTooDeep => @panic("the test's configuration can't be sent"),
        };
        const length = try self.send(requests.OpenMessage{
            .config = config,
            .seed = options.seed,
            .start_time_ns = options.start_time_ns,
            .limits = limits,
        });
        const reply = try self.receive(self.instance.open(length));
        if (reply != .done) return error.BadReply;
    }

    /// Ends the session.
    pub fn close(self: *Session) Error!void {
        const reply = try self.receive(self.instance.close());
        if (reply != .done) return error.BadReply;
    }

    /// Who the guest is and what handlers it has.
    pub fn describe(self: *Session) Error!replies.Description {
        const reply = try self.receive(self.instance.describe());
        return if (reply == .description) reply.description else error.BadReply;
    }

    /// Asks a matcher.
    pub fn match(self: *Session, name: []const u8, request: requests.Request) Error!results.Verdict {
        const id = try self.find(.match, name);
        const length = try self.sendCall(request);
        const reply = try self.receive(self.instance.match(id, length));
        return if (reply == .verdict) reply.verdict else error.BadReply;
    }

    /// Calls a responder with a request of any method. Content of the result is always
    /// in memory, also if the guest has made it a blob.
    pub fn respond(self: *Session, name: []const u8, request: requests.Request) Error!results.Outcome {
        const id = try self.find(.respond, name);
        const length = try self.sendCall(request);
        const reply = try self.receive(self.instance.respond(id, length));
        var outcome = if (reply == .outcome) reply.outcome orelse return error.BadReply else return error.BadReply;
        if (outcome == .sandbox_error) {
            self.raised = outcome.sandbox_error;
            return error.SandboxError;
        }
        try self.fetchAll(&outcome);
        return outcome;
    }

    pub fn exec(self: *Session, name: []const u8, request: requests.ExecRequest) Error!results.ExecResult {
        return (try self.respond(name, .{ .exec = request })).exec;
    }

    pub fn read(self: *Session, name: []const u8, request: requests.ReadRequest) Error!content.Stream {
        return (try self.respond(name, .{ .read = request })).stream;
    }

    pub fn write(self: *Session, name: []const u8, request: requests.WriteRequest) Error!void {
        _ = try self.respond(name, .{ .write = request });
    }

    pub fn rm(self: *Session, name: []const u8, request: requests.RmRequest) Error!void {
        _ = try self.respond(name, .{ .rm = request });
    }

    pub fn mkdir(self: *Session, name: []const u8, request: requests.MkdirRequest) Error!void {
        _ = try self.respond(name, .{ .mkdir = request });
    }

    pub fn ls(self: *Session, name: []const u8, request: requests.LsRequest) Error![]const results.FileEntry {
        return (try self.respond(name, .{ .ls = request })).listing.entries;
    }

    pub fn applyPatch(self: *Session, name: []const u8, request: requests.ApplyPatchRequest) Error![]const u8 {
        return (try self.respond(name, .{ .apply_patch = request })).text;
    }

    pub fn ptyExecStart(self: *Session, name: []const u8, request: requests.PtyExecStartRequest) Error!results.PtyUpdate {
        return (try self.respond(name, .{ .pty_exec_start = request })).pty;
    }

    pub fn ptyWriteStdin(self: *Session, name: []const u8, request: requests.PtyWriteStdinRequest) Error!results.PtyUpdate {
        return (try self.respond(name, .{ .pty_write_stdin = request })).pty;
    }

    /// What the last call has logged.
    pub fn lines(_: *const Session) []const native.Line {
        return native.state.lines.items;
    }

    fn find(self: *const Session, kind: replies.HandlerDescription.Kind, name: []const u8) Error!u32 {
        for (self.instance.handlers, 1..) |registered, id| {
            if (registered.kind == kind and std.mem.eql(u8, registered.name, name)) return @intCast(id);
        }
        return error.NoSuchHandler;
    }

    /// Puts a call into the guest's input buffer, and large content of it into a blob.
    fn sendCall(self: *Session, request: requests.Request) Error!usize {
        native.state.reset();
        var sent = request;
        if (sent == .write) try self.storeLarge(&sent.write.data.content);
        defer self.index += 1;
        return self.send(requests.CallMessage{ .index = self.index, .time_ns = self.time_ns, .request = sent });
    }

    fn send(self: *Session, message: anytype) Error!usize {
        var encoder: Encoder = .{ .allocator = self.arena.allocator() };
        const bytes = try encoder.encode(message);
        const input = self.instance.buffer(bytes.len) orelse return error.OutOfMemory;
        @memcpy(input[0..bytes.len], bytes);
        return bytes.len;
    }

    fn storeLarge(self: *Session, stored: *content.Content) Error!void {
        const bytes = if (stored.* == .bytes) stored.bytes else return;
        if (bytes.len <= self.instance.session.limits.inline_bytes) return;
        const digest = try self.arena.allocator().create([32]u8);
        std.crypto.hash.sha2.Sha256.hash(bytes, digest, .{});
        stored.* = .{ .blob = .{ .handle = try native.state.addBlob(bytes), .size = bytes.len, .sha256 = digest } };
    }

    fn receive(self: *Session, bytes: []const u8) Error!replies.Reply {
        const arena = self.arena.allocator();
        self.raised = null;
        self.guest_error = null;
        if (bytes.len > self.reply_bytes) return error.ReplyLimit;
        var decoder: Decoder = .init(arena, try arena.dupe(u8, bytes));
        const reply = decoder.decode(replies.Reply) catch return error.BadReply;
        if (reply != .guest_error) return reply;
        self.guest_error = reply.guest_error;
        return error.GuestError;
    }

    fn fetchAll(self: *Session, outcome: *results.Outcome) Error!void {
        switch (outcome.*) {
            .exec => |*result| {
                try self.fetch(&result.stdout);
                try self.fetch(&result.stderr);
            },
            .stream => |*stream| try self.fetch(&stream.content),
            .pty => |*update| try self.fetch(&update.output),
            else => {},
        }
    }

    /// Copies a blob into memory. The host would refuse one that isn't there, or of
    /// another size.
    fn fetch(self: *Session, fetched: *content.Content) Error!void {
        const blob = if (fetched.* == .blob) fetched.blob else return;
        const bytes = native.state.blob(blob.handle) orelse return error.BadReply;
        if (bytes.len != blob.size) return error.BadReply;
        fetched.* = .from(try self.arena.allocator().dupe(u8, bytes));
    }
};

comptime {
    if (host.is_guest) @compileError("wasmsandbox.testing is for native tests");
}
