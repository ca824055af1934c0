//! Errors that a real sandbox raises. A responder answers with one by
//! `return call.raise(.{ .code = code.exec_timeout })`.

const Field = @import("schema.zig").Field;
const Entry = @import("value.zig").Entry;

/// The error of a call, as the session's caller gets it.
pub const SandboxError = struct {
    /// One of `code`, or a code of its own; not empty.
    code: []const u8 = "",
    /// Empty: the code's own.
    op: []const u8 = "",
    /// Empty: the code's own.
    message: []const u8 = "",
    /// In any order; a key may occur once.
    context: []const Entry = &.{},
    retryable: Retryable = .unknown,

    pub const Retryable = enum(u8) { unknown = 0, no = 1, yes = 2 };
    pub const message_name = "SandboxError";
    pub const fields = [_]Field{
        .text(1, "code"),             .text(2, "op"), .text(3, "message"), .message(4, "context"),
        .enumeration(5, "retryable"),
    };
};

/// The codes that a sandbox knows.
pub const code = struct {
    pub const invalid_manifest_path = "invalid_manifest_path";
    pub const invalid_compression_scheme = "invalid_compression_scheme";
    pub const apply_patch_invalid_path = "apply_patch_invalid_path";
    pub const apply_patch_invalid_diff = "apply_patch_invalid_diff";
    pub const skills_config_invalid = "skills_config_invalid";
    pub const sandbox_config_invalid = "sandbox_config_invalid";
    pub const exposed_port_unavailable = "exposed_port_unavailable";
    pub const exec_nonzero = "exec_nonzero";
    pub const exec_timeout = "exec_timeout";
    pub const exec_transport_error = "exec_transport_error";
    pub const pty_session_not_found = "pty_session_not_found";
    pub const apply_patch_file_not_found = "apply_patch_file_not_found";
    pub const apply_patch_decode_error = "apply_patch_decode_error";
    pub const workspace_read_not_found = "workspace_read_not_found";
    pub const workspace_archive_read_error = "workspace_archive_read_error";
    pub const workspace_archive_write_error = "workspace_archive_write_error";
    pub const workspace_write_type_error = "workspace_write_type_error";
    pub const workspace_stop_error = "workspace_stop_error";
    pub const workspace_start_error = "workspace_start_error";
    pub const workspace_root_not_found = "workspace_root_not_found";
    pub const local_file_read_error = "local_file_read_error";
    pub const local_dir_read_error = "local_dir_read_error";
    pub const local_checksum_error = "local_checksum_error";
    pub const git_missing_in_image = "git_missing_in_image";
    pub const git_clone_error = "git_clone_error";
    pub const git_subpath_error = "git_subpath_error";
    pub const git_copy_error = "git_copy_error";
    pub const mount_missing_tool = "mount_missing_tool";
    pub const mount_config_invalid = "mount_config_invalid";
    pub const mount_failed = "mount_failed";
    pub const snapshot_persist_error = "snapshot_persist_error";
    pub const snapshot_restore_error = "snapshot_restore_error";
    pub const snapshot_not_restorable = "snapshot_not_restorable";
};
