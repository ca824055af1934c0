//! Responders and matchers for wasmsandbox, as WebAssembly guests written in Zig.
//!
//! A guest is a root file that declares its handlers in a `Guest`, exports it by
//! `exportGuest`, and has `pub const panic = wasmsandbox.panic;`. A handler is a function
//! of a `*Call` and, but for `respond` and `match`, of the request; see `exec` and its
//! siblings for the types. Native tests call handlers through `testing.Session`.

const call = @import("call.zig");
const content = @import("content.zig");
const exports = @import("exports.zig");
const handler = @import("handler.zig");
const instance = @import("instance.zig");
const method = @import("method.zig");
const panics = @import("panic.zig");
const requests = @import("requests.zig");
const results = @import("results.zig");
const sandbox_error = @import("sandbox_error.zig");
const settings = @import("settings.zig");
const values = @import("value.zig");

pub const Guest = instance.Guest;
pub const exportGuest = exports.exportGuest;
pub const panic = panics.panic;
pub const panicAt = panics.panicAt;
pub const sdk_version = instance.sdk_version;

pub const Handler = handler.Handler;
pub const match = handler.match;
pub const respond = handler.respond;
pub const exec = handler.exec;
pub const read = handler.read;
pub const write = handler.write;
pub const rm = handler.rm;
pub const mkdir = handler.mkdir;
pub const ls = handler.ls;
pub const applyPatch = handler.applyPatch;
pub const ptyExecStart = handler.ptyExecStart;
pub const ptyWriteStdin = handler.ptyWriteStdin;

pub const Call = call.Call;
pub const Session = call.Session;
pub const Settings = settings.Settings;
pub const Limits = requests.Limits;
pub const Method = method.Method;
pub const all_methods = method.all_methods;

pub const Request = requests.Request;
pub const ApplyPatchRequest = requests.ApplyPatchRequest;
pub const PatchOperation = requests.PatchOperation;
pub const ExecRequest = requests.ExecRequest;
pub const Shell = requests.Shell;
pub const LsRequest = requests.LsRequest;
pub const MkdirRequest = requests.MkdirRequest;
pub const PtyExecStartRequest = requests.PtyExecStartRequest;
pub const PtyWriteStdinRequest = requests.PtyWriteStdinRequest;
pub const ReadRequest = requests.ReadRequest;
pub const RmRequest = requests.RmRequest;
pub const WriteRequest = requests.WriteRequest;

pub const Outcome = results.Outcome;
pub const ExecResult = results.ExecResult;
pub const FileEntry = results.FileEntry;
pub const PtyUpdate = results.PtyUpdate;
pub const Verdict = results.Verdict;
pub const Difference = results.Difference;
pub const SandboxError = sandbox_error.SandboxError;
pub const code = sandbox_error.code;

pub const Stream = content.Stream;
pub const Content = content.Content;
pub const Blob = content.Blob;
pub const ContentReader = content.ContentReader;
pub const ContentWriter = @import("content_writer.zig").ContentWriter;
pub const Value = values.Value;
pub const Entry = values.Entry;

/// The host's functions, for what the SDK doesn't wrap.
pub const host = @import("host.zig");
/// Calls handlers in native tests.
pub const testing = @import("testing.zig");
/// The messages on the wire.
pub const wire = struct {
    pub const Encoder = @import("encode.zig").Encoder;
    pub const Decoder = @import("decode.zig").Decoder;
    pub const Call = requests.CallMessage;
    pub const Open = requests.OpenMessage;
    pub const Reply = @import("replies.zig").Reply;
    pub const GuestError = @import("replies.zig").GuestError;
    pub const Panic = @import("replies.zig").Panic;
    pub const report = panics.report;
};
