//! Makes results fit for sending, and ties blobs to the call they are valid in.

const std = @import("std");
const Call = @import("call.zig").Call;
const content = @import("content.zig");
const handler = @import("handler.zig");
const host = @import("host.zig");
const requests = @import("requests.zig");
const results = @import("results.zig");
const value = @import("value.zig");

/// Why a result can't be sent.
pub const Error = host.Error || value.EntryError || error{
    /// Content of an earlier call, whose blob is gone.
    ContentExpired,
    /// A sandbox error without a code.
    NoErrorCode,
    /// A result of another method.
    WrongResult,
};

/// Notes in which call the blobs of a request are valid.
pub fn own(request: *requests.Request, call: u64) void {
    switch (request.*) {
        .write => |*write| switch (write.data.content) {
            .blob => |*blob| blob.call = call,
            .bytes => {},
        },
        else => {},
    }
}

/// Checks an outcome, moves large content into blobs, and sorts the context of an error,
/// which a handler may have returned without raising it.
pub fn prepare(call: *Call, outcome: *results.Outcome) Error!void {
    switch (outcome.*) {
        .exec => |*result| {
            try move(call, &result.stdout);
            try move(call, &result.stderr);
        },
        .stream => |*stream| try move(call, &stream.content),
        .pty => |*update| try move(call, &update.output),
        .sandbox_error => |*raised| {
            if (raised.code.len == 0) return error.NoErrorCode;
            raised.context = try value.sorted(call.arena, raised.context);
            return;
        },
        .void, .listing, .text => {},
    }
    if (outcome.* != handler.outcomeTag(call.method())) return error.WrongResult;
}

fn move(call: *Call, moved: *content.Content) Error!void {
    switch (moved.*) {
        .blob => |blob| if (blob.call != call.number) return error.ContentExpired,
        .bytes => |bytes| {
            if (bytes.len <= call.session.limits.inline_bytes) return;
            const handle = try host.blobNew();
            try host.blobWrite(handle, bytes);
            moved.* = .{ .blob = .{ .handle = handle, .size = bytes.len, .call = call.number } };
        },
    }
}
