use alloc::vec::Vec;
use core::time::Duration;

use super::content::Content;
use super::encoder::{Encode, Encoder};
use super::exec::{positive, Shell};
use super::reader::{Merge, Names, Reader};

/// The arguments of `pty_exec_start`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PtyExecStartRequest<'a> {
    /// The parts of the command, which need not be UTF-8.
    pub command: Vec<&'a [u8]>,
    /// Nanoseconds; 0: none.
    pub timeout_ns: i64,
    /// What wraps the command.
    pub shell: Shell<'a>,
    /// `""`: none.
    pub user: &'a str,
    /// Whether the process gets a terminal.
    pub tty: bool,
    /// Nanoseconds; 0: not given.
    pub yield_time_ns: i64,
    /// 0: not given.
    pub max_output_tokens: i64,
}

impl<'a> PtyExecStartRequest<'a> {
    /// A command with nothing else given.
    pub fn new<T: AsRef<[u8]> + ?Sized + 'a>(command: impl IntoIterator<Item = &'a T>) -> Self {
        PtyExecStartRequest {
            command: command.into_iter().map(AsRef::as_ref).collect(),
            ..Self::default()
        }
    }

    /// The timeout, if there is one.
    pub fn timeout(&self) -> Option<Duration> {
        positive(self.timeout_ns)
    }

    /// How long the caller waits for output, if it said so.
    pub fn yield_time(&self) -> Option<Duration> {
        positive(self.yield_time_ns)
    }
}

impl<'a> Merge<'a> for PtyExecStartRequest<'a> {
    fn names(&self) -> &'static Names {
        &Names {
            message: "PtyExecStartRequest",
            fields: &[
                "command",
                "timeout_ns",
                "shell",
                "user",
                "tty",
                "yield_time_ns",
                "max_output_tokens",
            ],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.command.push(r.bytes()),
            2 => self.timeout_ns = r.int64(),
            3 => r.merge(&mut self.shell),
            4 => self.user = r.text(),
            5 => self.tty = r.bool(),
            6 => self.yield_time_ns = r.int64(),
            7 => self.max_output_tokens = r.int64(),
            _ => r.skip(),
        }
    }
}

impl Encode for PtyExecStartRequest<'_> {
    fn encode(&self, e: &mut Encoder) {
        e.uint(7, self.max_output_tokens as u64);
        e.uint(6, self.yield_time_ns as u64);
        e.uint(5, self.tty.into());
        e.bytes(4, self.user.as_bytes());
        self.shell.encode_field(3, e);
        e.uint(2, self.timeout_ns as u64);
        e.all_bytes(1, &self.command);
    }
}

/// The arguments of `pty_write_stdin`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PtyWriteStdinRequest<'a> {
    /// The id of a process that `pty_exec_start` returned.
    pub session_id: i64,
    /// What is typed, which need not be UTF-8.
    pub chars: &'a [u8],
    /// Nanoseconds; 0: not given.
    pub yield_time_ns: i64,
    /// 0: not given.
    pub max_output_tokens: i64,
}

impl PtyWriteStdinRequest<'_> {
    /// How long the caller waits for output, if it said so.
    pub fn yield_time(&self) -> Option<Duration> {
        positive(self.yield_time_ns)
    }
}

impl<'a> Merge<'a> for PtyWriteStdinRequest<'a> {
    fn names(&self) -> &'static Names {
        &Names {
            message: "PtyWriteStdinRequest",
            fields: &["session_id", "chars", "yield_time_ns", "max_output_tokens"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.session_id = r.int64(),
            2 => self.chars = r.bytes(),
            3 => self.yield_time_ns = r.int64(),
            4 => self.max_output_tokens = r.int64(),
            _ => r.skip(),
        }
    }
}

impl Encode for PtyWriteStdinRequest<'_> {
    fn encode(&self, e: &mut Encoder) {
        e.uint(4, self.max_output_tokens as u64);
        e.uint(3, self.yield_time_ns as u64);
        e.bytes(2, self.chars);
        e.uint(1, self.session_id as u64);
    }
}

/// The result of `pty_exec_start` and `pty_write_stdin`: what a terminal session
/// printed since the last update. A live process has an id and no exit code, a
/// finished one an exit code and no id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PtyUpdate {
    /// The id of a live process.
    pub process_id: Option<i64>,
    /// What it printed.
    pub output: Content<'static>,
    /// The exit code of a finished process.
    pub exit_code: Option<i32>,
    /// How many tokens the output had before it was cut, if known.
    pub original_token_count: Option<u64>,
}

impl PtyUpdate {
    /// An update of a live process.
    pub fn running(process_id: i64, output: impl Into<Content<'static>>) -> Self {
        PtyUpdate {
            process_id: Some(process_id),
            output: output.into(),
            ..Self::default()
        }
    }

    /// The last update of a process.
    pub fn exited(code: i32, output: impl Into<Content<'static>>) -> Self {
        PtyUpdate {
            exit_code: Some(code),
            output: output.into(),
            ..Self::default()
        }
    }
}

impl<'a> Merge<'a> for PtyUpdate {
    fn names(&self) -> &'static Names {
        &Names {
            message: "PtyUpdate",
            fields: &["process_id", "output", "exit_code", "original_token_count"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.process_id = Some(r.sint64()),
            2 => self.output.merge_owned(r),
            3 => self.exit_code = Some(r.sint32()),
            4 => self.original_token_count = Some(r.uint64()),
            _ => r.skip(),
        }
    }
}

impl Encode for PtyUpdate {
    fn encode(&self, e: &mut Encoder) {
        if let Some(count) = self.original_token_count {
            e.set_uint(4, count);
        }
        if let Some(code) = self.exit_code {
            e.set_sint(3, code.into());
        }
        self.output.encode_field(2, e);
        if let Some(id) = self.process_id {
            e.set_sint(1, id);
        }
    }
}
