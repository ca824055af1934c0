use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::ToString;
use core::any::Any;
use core::fmt::{self, Display};

use crate::abi::{GuestErrorKind, SandboxError};
use crate::settings::SettingError;

/// What a handler returns.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// Why a handler doesn't answer: a sandbox error, which the session's caller gets, or
/// a failure of the guest.
///
/// `?` makes one of anything that can be displayed. A [`SandboxError`] stays one; a
/// [`SettingError`] says that the configuration isn't usable; all else is a failure
/// with its text as the message.
///
/// ```
/// # use wasmsandbox::{codes, ExecRequest, ExecResult, Result, SandboxError};
/// fn head(req: &ExecRequest) -> Result<ExecResult> {
///     let lines: usize = req.part(1).ok_or("how many lines?")?.parse()?;
///     if lines > 1000 {
///         return Err(SandboxError::new(codes::EXEC_TIMEOUT).into());
///     }
///     Ok(ExecResult::stdout("line\n".repeat(lines)))
/// }
/// # assert!(head(&ExecRequest::new(["head", "x"])).is_err());
/// ```
///
/// It isn't displayable itself; [`message`](Error::message) is its text.
#[derive(Debug)]
pub struct Error(Kind);

#[derive(Debug)]
enum Kind {
    Sandbox(Box<SandboxError>),
    Guest(GuestErrorKind, Cow<'static, str>),
}

/// What an error comes to in a reply.
pub(crate) enum Answer {
    Sandbox(SandboxError),
    Guest(GuestErrorKind, Cow<'static, str>),
}

impl Error {
    /// A failure of the guest.
    pub fn failure(message: impl Into<Cow<'static, str>>) -> Self {
        Error(Kind::Guest(GuestErrorKind::HandlerFailed, message.into()))
    }

    /// A configuration that isn't usable. The guest isn't called again then.
    pub fn bad_config(message: impl Into<Cow<'static, str>>) -> Self {
        Error(Kind::Guest(GuestErrorKind::BadConfig, message.into()))
    }

    /// A call of a method that the handler doesn't serve.
    pub fn unsupported_method() -> Self {
        Error(Kind::Guest(
            GuestErrorKind::UnsupportedMethod,
            Cow::Borrowed("the handler doesn't serve the call's method"),
        ))
    }

    /// The sandbox error, if it is one.
    pub fn sandbox_error(&self) -> Option<&SandboxError> {
        match &self.0 {
            Kind::Sandbox(e) => Some(e),
            Kind::Guest(..) => None,
        }
    }

    /// The error as text.
    pub fn message(&self) -> Cow<'_, str> {
        match &self.0 {
            Kind::Sandbox(e) => Cow::Owned(e.to_string()),
            Kind::Guest(_, message) => Cow::Borrowed(message),
        }
    }

    pub(crate) fn into_answer(self) -> Answer {
        match self.0 {
            Kind::Sandbox(e) => Answer::Sandbox(*e),
            Kind::Guest(kind, message) => Answer::Guest(kind, message),
        }
    }
}

impl<E: Display + 'static> From<E> for Error {
    fn from(e: E) -> Self {
        let mut slot = Some(e);
        // The compiler knows the answers, and leaves one of the branches.
        let any: &mut dyn Any = &mut slot;
        if let Some(e) = any.downcast_mut::<Option<SandboxError>>() {
            return sandbox(e);
        }
        if let Some(e) = any.downcast_mut::<Option<SettingError>>() {
            return setting(e);
        }
        failed(slot.as_ref().map(|e| e as &dyn Display))
    }
}

// The functions below aren't generic, so that each type which `?` meets adds little to
// the module.

#[cold]
#[inline(never)]
fn sandbox(e: &mut Option<SandboxError>) -> Error {
    match e.take() {
        Some(e) => Error(Kind::Sandbox(Box::new(e))),
        None => Error::failure(""),
    }
}

#[cold]
#[inline(never)]
fn setting(e: &mut Option<SettingError>) -> Error {
    Error::bad_config(e.as_ref().map(ToString::to_string).unwrap_or_default())
}

#[cold]
#[inline(never)]
fn failed(e: Option<&dyn Display>) -> Error {
    Error::failure(e.map(ToString::to_string).unwrap_or_default())
}

/// An error that is displayed as text alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text(pub &'static str);

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
