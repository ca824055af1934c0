//! A guest at work: takes the host's messages, calls handlers, and makes replies.

const std = @import("std");
const builtin = @import("builtin");
const handler = @import("handler.zig");
const replies = @import("replies.zig");
const requests = @import("requests.zig");
const results = @import("results.zig");
const outgoing = @import("outgoing.zig");
const call_module = @import("call.zig");
const Decoder = @import("decode.zig").Decoder;
const Encoder = @import("encode.zig").Encoder;

const Call = call_module.Call;
const Session = call_module.Session;
const Reply = replies.Reply;
const Registered = handler.Registered;

/// The version of this SDK, which hosts show.
pub const sdk_version = "0.1.0";

/// A guest: who it is and what it can do.
pub const Guest = struct {
    name: []const u8,
    version: []const u8,
    /// A JSON Schema for the configuration, or empty.
    config_schema: []const u8 = "",
    handlers: []const handler.Handler,
    /// Runs before the first call. An error says that the configuration isn't usable.
    open: ?*const fn (*Session) anyerror!void = null,
    /// Runs at the end of the session, unless the guest is dead.
    close: ?*const fn (*Session) anyerror!void = null,

    /// The guest without its handlers, which an instance has as a table.
    pub fn withoutHandlers(comptime self: Guest) Guest {
        var copy = self;
        copy.handlers = &.{};
        return copy;
    }
};

/// Memory that a call leaves behind for the next one.
const kept_bytes = 64 << 10;

pub const Instance = struct {
    guest: *const Guest,
    handlers: []const Registered,
    allocator: std.mem.Allocator,
    /// Of the configuration.
    session_arena: std.heap.ArenaAllocator,
    /// Of the call that runs.
    call_arena: std.heap.ArenaAllocator,
    session: Session,
    input: []u8 = &.{},
    output: Encoder,
    calls: u64 = 0,

    pub fn init(allocator: std.mem.Allocator, guest: *const Guest, handlers: []const Registered) Instance {
        return .{
            .guest = guest,
            .handlers = handlers,
            .allocator = allocator,
            .session_arena = .init(allocator),
            .call_arena = .init(allocator),
            .session = .{ .allocator = allocator },
            .output = .{ .allocator = allocator },
        };
    }

    /// Frees all memory but that which handlers have taken from the session's allocator.
    pub fn deinit(self: *Instance) void {
        self.session_arena.deinit();
        self.call_arena.deinit();
        self.allocator.free(self.input);
        self.output.deinit();
    }

    /// Replaces the input buffer; null if there isn't as much memory.
    pub fn buffer(self: *Instance, size: usize) ?[*]u8 {
        self.allocator.free(self.input);
        self.input = &.{};
        self.input = self.allocator.alloc(u8, @max(1, size)) catch return null;
        return self.input.ptr;
    }

    /// Who the guest is, as an encoded reply. Replies live until the next call.
    pub fn describe(self: *Instance) []const u8 {
        _ = self.call_arena.reset(.{ .retain_with_limit = kept_bytes });
        const described = self.call_arena.allocator().alloc(replies.HandlerDescription, self.handlers.len) catch |failure| {
            return self.refuse(.handler_failed, @errorName(failure));
        };
        for (described, self.handlers, 1..) |*description, registered, id| description.* = .{
            .id = @intCast(id),
            .name = registered.name,
            .kind = registered.kind,
            .methods = registered.methods,
        };
        return self.answer(.{ .description = .{
            .name = self.guest.name,
            .version = self.guest.version,
            .sdk = "wasmsandbox-zig",
            .sdk_version = sdk_version,
            .language = "zig",
            .toolchain = "zig " ++ builtin.zig_version_string,
            .handlers = described,
            .config_schema = self.guest.config_schema,
        } });
    }

    pub fn open(self: *Instance, length: usize) []const u8 {
        if (length > self.input.len) return self.refuseLength();
        const arena = self.session_arena.allocator();
        const bytes = arena.dupe(u8, self.input[0..length]) catch |failure| {
            return self.refuse(.handler_failed, @errorName(failure));
        };
        var decoder: Decoder = .init(arena, bytes);
        const message = decoder.decode(requests.OpenMessage) catch |failure| return self.refuseMessage(&decoder, failure);
        self.session.config = .{ .entries = message.config };
        self.session.seed = message.seed;
        self.session.start_time_ns = message.start_time_ns;
        self.session.limits = message.limits.withDefaults();
        self.prepare();
        const run = self.guest.open orelse return self.answer(.{ .done = .{} });
        run(&self.session) catch |failure| return self.refuse(.bad_config, self.sessionMessage(failure));
        return self.answer(.{ .done = .{} });
    }

    /// Takes the memory of a common call now. A host can put a guest back to what it was
    /// after `open` only while its memory has the size that it had then.
    fn prepare(self: *Instance) void {
        _ = self.call_arena.allocator().alloc(u8, 1) catch return; // a call that needs more will say so
        _ = self.call_arena.reset(.{ .retain_with_limit = kept_bytes });
    }

    pub fn close(self: *Instance) []const u8 {
        const run = self.guest.close orelse return self.answer(.{ .done = .{} });
        self.session.failure = null;
        run(&self.session) catch |failure| return self.refuse(.handler_failed, self.sessionMessage(failure));
        return self.answer(.{ .done = .{} });
    }

    pub fn match(self: *Instance, id: u32, length: usize) []const u8 {
        var call: Call = undefined;
        const registered = self.begin(&call, .match, id, length) catch |failure| return self.refused(failure);
        const verdict = registered.match_function.?(&call) catch |failure| return self.failed(&call, failure);
        return self.answer(.{ .verdict = verdict });
    }

    pub fn respond(self: *Instance, id: u32, length: usize) []const u8 {
        var call: Call = undefined;
        const registered = self.begin(&call, .respond, id, length) catch |failure| return self.refused(failure);
        const run = registered.respond_functions[@backingInt(call.method())].?;
        var outcome = run(&call) catch |failure| raised: {
            if (failure != error.SandboxError) return self.failed(&call, failure);
            break :raised results.Outcome{ .sandbox_error = call.raised orelse return self.failed(&call, failure) };
        };
        outgoing.prepare(&call, &outcome) catch |failure| return self.failed(&call, failure);
        return self.answer(.{ .outcome = outcome });
    }

    /// The reply has been made already, and is in the output.
    const Refused = error{Refused};

    fn refused(self: *Instance, _: Refused) []const u8 {
        return self.output.buffer[self.output.start..];
    }

    /// Finds the handler and reads its call.
    fn begin(
        self: *Instance,
        call: *Call,
        kind: replies.HandlerDescription.Kind,
        id: u32,
        length: usize,
    ) Refused!*const Registered {
        _ = self.call_arena.reset(.{ .retain_with_limit = kept_bytes });
        self.calls += 1;
        const registered = self.find(kind, id) orelse {
            _ = self.refuse(.unknown_handler, "");
            return error.Refused;
        };
        if (length > self.input.len) {
            _ = self.refuseLength();
            return error.Refused;
        }
        const arena = self.call_arena.allocator();
        var decoder: Decoder = .init(arena, self.input[0..length]);
        var message = decoder.decode(requests.CallMessage) catch |failure| {
            _ = self.refuseMessage(&decoder, failure);
            return error.Refused;
        };
        outgoing.own(&message.request.?, self.calls);
        call.* = .{
            .session = &self.session,
            .arena = arena,
            .index = message.index,
            .time_ns = message.time_ns,
            .request = message.request.?,
            .number = self.calls,
        };
        if (registered.serves(call.method())) return registered;
        _ = self.refuse(.unsupported_method, "");
        return error.Refused;
    }

    fn find(self: *const Instance, kind: replies.HandlerDescription.Kind, id: u32) ?*const Registered {
        if (id == 0 or id > self.handlers.len) return null;
        const registered = &self.handlers[id - 1];
        return if (registered.kind == kind) registered else null;
    }

    /// That it is longer than the host takes is for the host to say, which sees the length.
    fn answer(self: *Instance, reply: Reply) []const u8 {
        return self.output.encode(reply) catch |failure| self.refuse(.handler_failed, @errorName(failure));
    }

    /// The reply of a guest that can't answer. Without memory for the message it goes
    /// without, which takes a few bytes that only a guest that never replied lacks.
    fn refuse(self: *Instance, kind: replies.GuestError.Kind, message: []const u8) []const u8 {
        const reply: Reply = .{ .guest_error = .{ .kind = kind, .message = message } };
        return self.output.encode(reply) catch
            self.output.encode(Reply{ .guest_error = .{ .kind = kind } }) catch @panic("out of memory");
    }

    fn refuseLength(self: *Instance) []const u8 {
        return self.refuse(.bad_message, "the message is longer than the input buffer");
    }

    fn refuseMessage(self: *Instance, decoder: *const Decoder, failure: anyerror) []const u8 {
        var message: [96]u8 = undefined;
        const text = std.fmt.bufPrint(&message, "{s}: {s}", .{ decoder.where, @errorName(failure) });
        return self.refuse(.bad_message, text catch unreachable); // names of fields and errors are short
    }

    /// The reply for an error that a handler has returned.
    fn failed(self: *Instance, call: *Call, failure: anyerror) []const u8 {
        if (failure == error.WrongSettingType) return self.refuse(.bad_config, self.sessionMessage(failure));
        const message = if (failure == error.HandlerFailed) call.failure else null;
        return self.refuse(.handler_failed, message orelse @errorName(failure));
    }

    /// Why the session's own function has failed.
    fn sessionMessage(self: *Instance, failure: anyerror) []const u8 {
        if (failure == error.HandlerFailed) return self.session.failure orelse @errorName(failure);
        if (failure != error.WrongSettingType) return @errorName(failure);
        const arena = self.session_arena.allocator();
        return std.fmt.allocPrint(arena, "the setting {s} is of another type", .{self.session.config.wrong_key}) catch
            @errorName(failure);
    }
};
