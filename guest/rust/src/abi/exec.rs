use alloc::{borrow::Cow, string::String, vec::Vec};
use core::time::Duration;

use super::content::Content;
use super::encoder::{Encode, Encoder};
use super::reader::{Merge, Names, Reader};

/// The arguments of `exec`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExecRequest<'a> {
    /// The parts of the command, which need not be UTF-8.
    pub command: Vec<&'a [u8]>,
    /// Nanoseconds; 0: none.
    pub timeout_ns: i64,
    /// What wraps the command.
    pub shell: Shell<'a>,
    /// `""`: none.
    pub user: &'a str,
}

impl<'a> ExecRequest<'a> {
    /// A command without timeout and user, in the default shell.
    pub fn new<T: AsRef<[u8]> + ?Sized + 'a>(command: impl IntoIterator<Item = &'a T>) -> Self {
        ExecRequest {
            command: command.into_iter().map(AsRef::as_ref).collect(),
            ..Self::default()
        }
    }

    /// A part of the command as text; what isn't UTF-8 in it is replaced by U+FFFD.
    pub fn part(&self, i: usize) -> Option<Cow<'a, str>> {
        self.command
            .get(i)
            .map(|part| String::from_utf8_lossy(part))
    }

    /// The timeout, if there is one.
    pub fn timeout(&self) -> Option<Duration> {
        positive(self.timeout_ns)
    }
}

/// A span of nanoseconds, or `None` for what isn't positive.
pub(super) fn positive(ns: i64) -> Option<Duration> {
    u64::try_from(ns)
        .ok()
        .filter(|ns| *ns > 0)
        .map(Duration::from_nanos)
}

impl<'a> Merge<'a> for ExecRequest<'a> {
    fn names(&self) -> &'static Names {
        &Names {
            message: "ExecRequest",
            fields: &["command", "timeout_ns", "shell", "user"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.command.push(r.bytes()),
            2 => self.timeout_ns = r.int64(),
            3 => r.merge(&mut self.shell),
            4 => self.user = r.text(),
            _ => r.skip(),
        }
    }
}

impl Encode for ExecRequest<'_> {
    fn encode(&self, e: &mut Encoder) {
        e.bytes(4, self.user.as_bytes());
        self.shell.encode_field(3, e);
        e.uint(2, self.timeout_ns as u64);
        e.all_bytes(1, &self.command);
    }
}

/// What wraps a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shell<'a> {
    /// Whether and how the command is wrapped.
    pub mode: ShellMode,
    /// The command that wraps it, with mode [`ShellMode::Argv`].
    pub argv: Vec<&'a [u8]>,
}

/// How a command is wrapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ShellMode {
    /// In the default login shell.
    #[default]
    Default = 0,
    /// Not at all: its parts are run as they are.
    Off = 1,
    /// In the command that the shell names, which may be empty.
    Argv = 2,
}

impl Shell<'_> {
    /// Writes the shell, unless it is the default one.
    pub(super) fn encode_field(&self, num: u32, e: &mut Encoder) {
        if self.mode != ShellMode::Default || !self.argv.is_empty() {
            e.message(num, self);
        }
    }
}

impl<'a> Merge<'a> for Shell<'a> {
    fn names(&self) -> &'static Names {
        &Names {
            message: "Shell",
            fields: &["mode", "argv"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        const MODES: [ShellMode; 3] = [ShellMode::Default, ShellMode::Off, ShellMode::Argv];
        match r.num {
            1 => self.mode = r.enumerated(&MODES),
            2 => self.argv.push(r.bytes()),
            _ => r.skip(),
        }
    }
}

impl Encode for Shell<'_> {
    fn encode(&self, e: &mut Encoder) {
        e.all_bytes(2, &self.argv);
        e.uint(1, self.mode as u64);
    }
}

/// The result of `exec`: a command that ran to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExecResult {
    /// Standard output.
    pub stdout: Content<'static>,
    /// Standard error.
    pub stderr: Content<'static>,
    /// 0: success.
    pub exit_code: i32,
}

impl ExecResult {
    /// A command that printed something, and succeeded.
    pub fn stdout(output: impl Into<Content<'static>>) -> Self {
        ExecResult {
            stdout: output.into(),
            ..Self::default()
        }
    }

    /// A command that printed an error message, and ended with a code.
    pub fn exit(code: i32, stderr: impl Into<Content<'static>>) -> Self {
        ExecResult {
            stderr: stderr.into(),
            exit_code: code,
            ..Self::default()
        }
    }
}

impl<'a> Merge<'a> for ExecResult {
    fn names(&self) -> &'static Names {
        &Names {
            message: "ExecResult",
            fields: &["stdout", "stderr", "exit_code"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.stdout.merge_owned(r),
            2 => self.stderr.merge_owned(r),
            3 => self.exit_code = r.sint32(),
            _ => r.skip(),
        }
    }
}

impl Encode for ExecResult {
    fn encode(&self, e: &mut Encoder) {
        e.sint(3, self.exit_code.into());
        self.stderr.encode_field(2, e);
        self.stdout.encode_field(1, e);
    }
}
