use alloc::{borrow::Cow, vec::Vec};
use core::fmt;

use super::encoder::{encode_to_vec, Encode, Encoder};
use super::outcome::Void;
use super::reader::{decode_onto, Merge, Names, Reader};
use super::{DecodeError, Description, Outcome, Verdict};

// The numbers of a reply's kinds.
pub(crate) const DESCRIPTION: u32 = 1;
pub(crate) const VERDICT: u32 = 2;
pub(crate) const OUTCOME: u32 = 3;
pub(crate) const ERROR: u32 = 4;
pub(crate) const DONE: u32 = 5;

/// What an export answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Of `wasmsandbox_describe`.
    Description(Description),
    /// Of `wasmsandbox_match`.
    Verdict(Verdict),
    /// Of `wasmsandbox_respond`.
    Outcome(Outcome),
    /// Of any export.
    Error(GuestError),
    /// Of `wasmsandbox_open` and `wasmsandbox_close`.
    Done,
}

/// Says that the guest could not answer, as opposed to an outcome that is an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GuestError {
    /// Why.
    pub kind: GuestErrorKind,
    /// The same in words.
    pub message: Cow<'static, str>,
}

/// Why a guest could not answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum GuestErrorKind {
    /// Not said.
    #[default]
    Unspecified = 0,
    /// The handler failed with an error that is no sandbox error.
    HandlerFailed = 1,
    /// No handler has that id.
    UnknownHandler = 2,
    /// The host's message can't be decoded.
    BadMessage = 3,
    /// The configuration isn't usable.
    BadConfig = 4,
    /// The handler doesn't serve the call's method.
    UnsupportedMethod = 5,
}

impl fmt::Display for GuestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            GuestErrorKind::Unspecified => "the guest could not answer",
            GuestErrorKind::HandlerFailed => "the handler failed",
            GuestErrorKind::UnknownHandler => "unknown handler",
            GuestErrorKind::BadMessage => "bad message",
            GuestErrorKind::BadConfig => "bad configuration",
            GuestErrorKind::UnsupportedMethod => "unsupported method",
        })?;
        if !self.message.is_empty() {
            write!(f, ": {}", self.message)?;
        }
        Ok(())
    }
}

#[cfg(feature = "std")]
impl std::error::Error for GuestError {}

impl Reply {
    /// Decodes a message.
    pub fn decode(data: &[u8]) -> Result<Self, DecodeError> {
        let mut parts = Parts::default();
        decode_onto(&mut parts, data)?;
        match parts.kind {
            None => Err(DecodeError::missing("Reply", "kind", data)),
            Some(Kind::Outcome(None)) => Err(DecodeError::missing("Outcome", "kind", data)),
            Some(Kind::Outcome(Some(Outcome::Error(e)))) if e.code.is_empty() => {
                Err(DecodeError::missing("SandboxError", "code", data))
            }
            Some(Kind::Outcome(Some(outcome))) => Ok(Reply::Outcome(outcome)),
            Some(Kind::Description(description)) => Ok(Reply::Description(description)),
            Some(Kind::Verdict(verdict)) => Ok(Reply::Verdict(verdict)),
            Some(Kind::Error(error)) => Ok(Reply::Error(error)),
            Some(Kind::Done) => Ok(Reply::Done),
        }
    }

    /// Encodes the message.
    pub fn encode(&self) -> Vec<u8> {
        encode_to_vec(self)
    }
}

/// A reply that is being read.
#[derive(Default)]
struct Parts {
    kind: Option<Kind>,
}

enum Kind {
    Description(Description),
    Verdict(Verdict),
    Outcome(Option<Outcome>),
    Error(GuestError),
    Done,
}

impl<'a> Merge<'a> for Parts {
    fn names(&self) -> &'static Names {
        &Names {
            message: "Reply",
            fields: &["description", "verdict", "outcome", "error", "done"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => merge_member!(r, self.kind, Kind::Description),
            2 => merge_member!(r, self.kind, Kind::Verdict),
            3 => merge_member!(r, self.kind, Kind::Outcome),
            4 => merge_member!(r, self.kind, Kind::Error),
            5 => {
                r.merge(&mut Void);
                self.kind = Some(Kind::Done);
            }
            _ => r.skip(),
        }
    }
}

impl Encode for Reply {
    fn encode(&self, e: &mut Encoder) {
        match self {
            Reply::Description(m) => e.message(DESCRIPTION, m),
            Reply::Verdict(m) => e.message(VERDICT, m),
            Reply::Outcome(m) => e.message(OUTCOME, m),
            Reply::Error(m) => e.message(ERROR, m),
            Reply::Done => e.message(DONE, &Void),
        }
    }
}

impl<'a> Merge<'a> for GuestError {
    fn names(&self) -> &'static Names {
        &Names {
            message: "GuestError",
            fields: &["kind", "message"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        const KINDS: [GuestErrorKind; 6] = [
            GuestErrorKind::Unspecified,
            GuestErrorKind::HandlerFailed,
            GuestErrorKind::UnknownHandler,
            GuestErrorKind::BadMessage,
            GuestErrorKind::BadConfig,
            GuestErrorKind::UnsupportedMethod,
        ];
        match r.num {
            1 => self.kind = r.enumerated(&KINDS),
            2 => self.message = Cow::Owned(r.text().into()),
            _ => r.skip(),
        }
    }
}

impl Encode for GuestError {
    fn encode(&self, e: &mut Encoder) {
        e.bytes(2, self.message.as_bytes());
        e.uint(1, self.kind as u64);
    }
}
