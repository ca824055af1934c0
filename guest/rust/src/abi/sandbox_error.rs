use alloc::borrow::Cow;
use core::fmt;

use super::encoder::{Encode, Encoder};
use super::reader::{Merge, Names, Reader};
use super::{Map, Value};

/// An error of the sandbox, which the session's caller gets as if a real sandbox had
/// raised it.
///
/// ```
/// use wasmsandbox::{codes, SandboxError};
///
/// let error = SandboxError::new(codes::EXEC_TIMEOUT)
///     .with("timeout_s", 5)
///     .retryable(true);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SandboxError {
    /// For example `workspace_read_not_found`; never empty.
    pub code: Cow<'static, str>,
    /// `""`: the code's own.
    pub op: Cow<'static, str>,
    /// `""`: the code's own.
    pub message: Cow<'static, str>,
    /// What the error is about.
    pub context: Map,
    /// Whether the same call may succeed later.
    pub retryable: Retryable,
}

/// Whether the same call may succeed later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Retryable {
    /// Not said.
    #[default]
    Unknown = 0,
    /// It can't.
    No = 1,
    /// It may.
    Yes = 2,
}

impl SandboxError {
    /// An error with a code, which must not be empty; [`codes`](crate::codes) has
    /// those of sandboxes. The host fills in the operation and the message that go
    /// with it, unless they are given.
    pub fn new(code: impl Into<Cow<'static, str>>) -> Self {
        SandboxError {
            code: code.into(),
            ..Self::default()
        }
    }

    /// Sets one value of the context.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.context.insert(key, value);
        self
    }

    /// Sets the operation.
    #[must_use]
    pub fn op(mut self, op: impl Into<Cow<'static, str>>) -> Self {
        self.op = op.into();
        self
    }

    /// Sets the message.
    #[must_use]
    pub fn message(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.message = message.into();
        self
    }

    /// Says whether the same call may succeed later.
    #[must_use]
    pub fn retryable(mut self, retryable: bool) -> Self {
        self.retryable = if retryable {
            Retryable::Yes
        } else {
            Retryable::No
        };
        self
    }
}

impl fmt::Display for SandboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sandbox error {}", self.code)?;
        if !self.message.is_empty() {
            write!(f, ": {}", self.message)?;
        }
        Ok(())
    }
}

#[cfg(feature = "std")]
impl std::error::Error for SandboxError {}

impl<'a> Merge<'a> for SandboxError {
    fn names(&self) -> &'static Names {
        &Names {
            message: "SandboxError",
            fields: &["code", "op", "message", "context", "retryable"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        const RETRYABLE: [Retryable; 3] = [Retryable::Unknown, Retryable::No, Retryable::Yes];
        match r.num {
            1 => self.code = Cow::Owned(r.text().into()),
            2 => self.op = Cow::Owned(r.text().into()),
            3 => self.message = Cow::Owned(r.text().into()),
            4 => self.context.read_entry(r),
            5 => self.retryable = r.enumerated(&RETRYABLE),
            _ => r.skip(),
        }
    }
}

impl Encode for SandboxError {
    fn encode(&self, e: &mut Encoder) {
        e.uint(5, self.retryable as u64);
        self.context.encode_field(4, e);
        e.bytes(3, self.message.as_bytes());
        e.bytes(2, self.op.as_bytes());
        e.bytes(1, self.code.as_bytes());
    }
}
