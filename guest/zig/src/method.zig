//! The nine methods of a sandbox session.

/// A method; its value is its number in the ABI.
pub const Method = enum(u8) {
    apply_patch = 3,
    exec = 4,
    ls = 5,
    mkdir = 6,
    pty_exec_start = 7,
    pty_write_stdin = 8,
    read = 9,
    rm = 10,
    write = 11,

    /// One more than the highest value, for tables.
    pub const table_len = 12;

    /// The method's name, which is also that of the request.
    pub fn name(self: Method) []const u8 {
        return @tagName(self);
    }
};

/// For handlers that serve every method.
pub const all_methods: []const Method = &.{};
