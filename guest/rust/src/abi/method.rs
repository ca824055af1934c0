use core::fmt;

/// One of the nine methods of a sandbox. Its number is that of the field that
/// carries its request in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Method {
    /// Applies a patch.
    ApplyPatch = 3,
    /// Runs a command to its end.
    Exec = 4,
    /// Lists files.
    Ls = 5,
    /// Makes a directory.
    Mkdir = 6,
    /// Starts a process in a terminal.
    PtyExecStart = 7,
    /// Writes to a process in a terminal.
    PtyWriteStdin = 8,
    /// Reads a file.
    Read = 9,
    /// Removes a file.
    Rm = 10,
    /// Writes a file.
    Write = 11,
}

impl Method {
    /// All methods, in ascending order.
    pub const ALL: [Method; 9] = [
        Method::ApplyPatch,
        Method::Exec,
        Method::Ls,
        Method::Mkdir,
        Method::PtyExecStart,
        Method::PtyWriteStdin,
        Method::Read,
        Method::Rm,
        Method::Write,
    ];

    /// The method with a number, if there is one.
    pub fn from_number(n: u64) -> Option<Self> {
        let first = Self::ALL[0] as u64;
        let i = usize::try_from(n.checked_sub(first)?).ok()?;
        Self::ALL.get(i).copied()
    }

    /// The name in scripts, such as `pty_exec_start`.
    pub fn name(self) -> &'static str {
        match self {
            Method::ApplyPatch => "apply_patch",
            Method::Exec => "exec",
            Method::Ls => "ls",
            Method::Mkdir => "mkdir",
            Method::PtyExecStart => "pty_exec_start",
            Method::PtyWriteStdin => "pty_write_stdin",
            Method::Read => "read",
            Method::Rm => "rm",
            Method::Write => "write",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
