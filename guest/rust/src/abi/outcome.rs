use alloc::{borrow::Cow, vec::Vec};
use core::fmt;

use super::encoder::{Encode, Encoder};
use super::reader::{Merge, Names, Reader};
use super::{Content, ExecResult, FileEntry, Method, PtyUpdate, SandboxError, Stream};

/// How a responder answers: the result of the call's method, or a sandbox error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Of `write`, `rm` and `mkdir`.
    Void,
    /// Of `exec`.
    Exec(ExecResult),
    /// Of `read`.
    Stream(Stream<'static>),
    /// Of `ls`.
    Listing(Vec<FileEntry>),
    /// Of `apply_patch`: what the patch tool prints.
    Text(Cow<'static, str>),
    /// Of `pty_exec_start` and `pty_write_stdin`.
    Pty(PtyUpdate),
    /// Of any method.
    Error(SandboxError),
}

/// What an outcome holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named as the outcomes are
pub enum OutcomeKind {
    Void,
    Exec,
    Stream,
    Listing,
    Text,
    Pty,
    Error,
}

impl fmt::Display for OutcomeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OutcomeKind::Void => "void",
            OutcomeKind::Exec => "exec",
            OutcomeKind::Stream => "stream",
            OutcomeKind::Listing => "listing",
            OutcomeKind::Text => "text",
            OutcomeKind::Pty => "pty",
            OutcomeKind::Error => "error",
        })
    }
}

impl OutcomeKind {
    /// The kind of a method's result.
    pub fn of(method: Method) -> Self {
        match method {
            Method::ApplyPatch => OutcomeKind::Text,
            Method::Exec => OutcomeKind::Exec,
            Method::Ls => OutcomeKind::Listing,
            Method::PtyExecStart | Method::PtyWriteStdin => OutcomeKind::Pty,
            Method::Read => OutcomeKind::Stream,
            Method::Mkdir | Method::Rm | Method::Write => OutcomeKind::Void,
        }
    }
}

impl Outcome {
    /// What the outcome holds.
    pub fn kind(&self) -> OutcomeKind {
        match self {
            Outcome::Void => OutcomeKind::Void,
            Outcome::Exec(_) => OutcomeKind::Exec,
            Outcome::Stream(_) => OutcomeKind::Stream,
            Outcome::Listing(_) => OutcomeKind::Listing,
            Outcome::Text(_) => OutcomeKind::Text,
            Outcome::Pty(_) => OutcomeKind::Pty,
            Outcome::Error(_) => OutcomeKind::Error,
        }
    }

    /// Calls a function with each content in the outcome, up to the first error.
    pub(crate) fn each_content<E>(
        &mut self,
        mut f: impl FnMut(&mut Content<'static>) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Outcome::Exec(result) => {
                f(&mut result.stdout)?;
                f(&mut result.stderr)
            }
            Outcome::Stream(stream) => f(&mut stream.content),
            Outcome::Pty(update) => f(&mut update.output),
            _ => Ok(()),
        }
    }
}

macro_rules! outcome_from {
    ($($type:ty => |$v:pat_param| $outcome:expr;)*) => {$(
        impl From<$type> for Outcome {
            fn from($v: $type) -> Self {
                $outcome
            }
        }
    )*};
}

outcome_from! {
    () => |()| Outcome::Void;
    ExecResult => |v| Outcome::Exec(v);
    Stream<'static> => |v| Outcome::Stream(v);
    Vec<FileEntry> => |v| Outcome::Listing(v);
    PtyUpdate => |v| Outcome::Pty(v);
    SandboxError => |v| Outcome::Error(v);
}

/// An outcome that is being read. It has none as long as no member is set.
impl<'a> Merge<'a> for Option<Outcome> {
    fn names(&self) -> &'static Names {
        &Names {
            message: "Outcome",
            fields: &["void", "exec", "stream", "listing", "text", "pty", "error"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => {
                r.merge(&mut Void);
                *self = Some(Outcome::Void);
            }
            2 => merge_member!(r, *self, Outcome::Exec),
            3 => {
                let mut stream = match self.take() {
                    Some(Outcome::Stream(stream)) => stream,
                    _ => Stream::default(),
                };
                r.merge(&mut stream);
                *self = Some(Outcome::Stream(stream.into_owned()));
            }
            4 => merge_member!(r, *self, Outcome::Listing),
            5 => *self = Some(Outcome::Text(Cow::Owned(r.text().into()))),
            6 => merge_member!(r, *self, Outcome::Pty),
            7 => merge_member!(r, *self, Outcome::Error),
            _ => r.skip(),
        }
    }
}

impl Encode for Outcome {
    fn encode(&self, e: &mut Encoder) {
        match self {
            Outcome::Void => e.message(1, &Void),
            Outcome::Exec(m) => e.message(2, m),
            Outcome::Stream(m) => e.message(3, m),
            Outcome::Listing(entries) => e.embedded(4, |e| e.all(1, entries)),
            Outcome::Text(text) => e.set_bytes(5, text.as_bytes()),
            Outcome::Pty(m) => e.message(6, m),
            Outcome::Error(m) => e.message(7, m),
        }
    }
}

impl<'a> Merge<'a> for Vec<FileEntry> {
    fn names(&self) -> &'static Names {
        &Names {
            message: "Listing",
            fields: &["entries"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => r.push(self),
            _ => r.skip(),
        }
    }
}

/// A message without fields.
pub(super) struct Void;

impl<'a> Merge<'a> for Void {
    fn names(&self) -> &'static Names {
        &Names {
            message: "Void",
            fields: &[],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        r.skip();
    }
}

impl Encode for Void {
    fn encode(&self, _: &mut Encoder) {}
}
