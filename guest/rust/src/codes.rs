//! The codes of sandbox errors, in the order of their families: configuration,
//! runtime, artifact, snapshot.

macro_rules! codes {
    ($($name:ident = $code:literal;)*) => {$(
        #[doc = concat!("`", $code, "`")]
        pub const $name: &str = $code;
    )*};
}

codes! {
    INVALID_MANIFEST_PATH = "invalid_manifest_path";
    INVALID_COMPRESSION_SCHEME = "invalid_compression_scheme";
    APPLY_PATCH_INVALID_PATH = "apply_patch_invalid_path";
    APPLY_PATCH_INVALID_DIFF = "apply_patch_invalid_diff";
    SKILLS_CONFIG_INVALID = "skills_config_invalid";
    SANDBOX_CONFIG_INVALID = "sandbox_config_invalid";

    EXPOSED_PORT_UNAVAILABLE = "exposed_port_unavailable";
    EXEC_NONZERO = "exec_nonzero";
    EXEC_TIMEOUT = "exec_timeout";
    EXEC_TRANSPORT = "exec_transport_error";
    PTY_SESSION_NOT_FOUND = "pty_session_not_found";
    APPLY_PATCH_FILE_NOT_FOUND = "apply_patch_file_not_found";
    APPLY_PATCH_DECODE = "apply_patch_decode_error";
    WORKSPACE_READ_NOT_FOUND = "workspace_read_not_found";
    WORKSPACE_ARCHIVE_READ = "workspace_archive_read_error";
    WORKSPACE_ARCHIVE_WRITE = "workspace_archive_write_error";
    WORKSPACE_WRITE_TYPE = "workspace_write_type_error";
    WORKSPACE_STOP = "workspace_stop_error";
    WORKSPACE_START = "workspace_start_error";
    WORKSPACE_ROOT_NOT_FOUND = "workspace_root_not_found";

    LOCAL_FILE_READ = "local_file_read_error";
    LOCAL_DIR_READ = "local_dir_read_error";
    LOCAL_CHECKSUM = "local_checksum_error";
    GIT_MISSING = "git_missing_in_image";
    GIT_CLONE = "git_clone_error";
    GIT_SUBPATH = "git_subpath_error";
    GIT_COPY = "git_copy_error";
    MOUNT_MISSING_TOOL = "mount_missing_tool";
    MOUNT_CONFIG = "mount_config_invalid";
    MOUNT_FAILED = "mount_failed";

    SNAPSHOT_PERSIST = "snapshot_persist_error";
    SNAPSHOT_RESTORE = "snapshot_restore_error";
    SNAPSHOT_NOT_RESTORABLE = "snapshot_not_restorable";
}
