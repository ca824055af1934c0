use alloc::vec::Vec;

use super::encoder::{encode_to_vec, Encode, Encoder};
use super::reader::{decode_onto, Merge, Names, Reader};
use super::{
    ApplyPatchRequest, DecodeError, ExecRequest, LsRequest, Method, MkdirRequest,
    PtyExecStartRequest, PtyWriteStdinRequest, ReadRequest, RmRequest, WriteRequest,
};

/// One call of a session, as it travels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// The zero-based position of the call in the session's history.
    pub index: u64,
    /// The virtual time of the call, in nanoseconds since 1970 UTC.
    pub time_ns: i64,
    /// The method called, and its arguments.
    pub request: Request<'a>,
}

/// The method called, and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // each is what it holds
pub enum Request<'a> {
    ApplyPatch(ApplyPatchRequest<'a>),
    Exec(ExecRequest<'a>),
    Ls(LsRequest<'a>),
    Mkdir(MkdirRequest<'a>),
    PtyExecStart(PtyExecStartRequest<'a>),
    PtyWriteStdin(PtyWriteStdinRequest<'a>),
    Read(ReadRequest<'a>),
    Rm(RmRequest<'a>),
    Write(WriteRequest<'a>),
}

impl Request<'_> {
    /// The method that takes this request.
    pub fn method(&self) -> Method {
        match self {
            Request::ApplyPatch(_) => Method::ApplyPatch,
            Request::Exec(_) => Method::Exec,
            Request::Ls(_) => Method::Ls,
            Request::Mkdir(_) => Method::Mkdir,
            Request::PtyExecStart(_) => Method::PtyExecStart,
            Request::PtyWriteStdin(_) => Method::PtyWriteStdin,
            Request::Read(_) => Method::Read,
            Request::Rm(_) => Method::Rm,
            Request::Write(_) => Method::Write,
        }
    }
}

macro_rules! request_from {
    ($($type:ident => $variant:ident;)*) => {$(
        impl<'a> From<$type<'a>> for Request<'a> {
            fn from(request: $type<'a>) -> Self {
                Request::$variant(request)
            }
        }
    )*};
}

request_from! {
    ApplyPatchRequest => ApplyPatch;
    ExecRequest => Exec;
    LsRequest => Ls;
    MkdirRequest => Mkdir;
    PtyExecStartRequest => PtyExecStart;
    PtyWriteStdinRequest => PtyWriteStdin;
    ReadRequest => Read;
    RmRequest => Rm;
    WriteRequest => Write;
}

impl From<Method> for Request<'_> {
    /// The request of a method without arguments.
    fn from(method: Method) -> Self {
        match method {
            Method::ApplyPatch => Request::ApplyPatch(Default::default()),
            Method::Exec => Request::Exec(Default::default()),
            Method::Ls => Request::Ls(Default::default()),
            Method::Mkdir => Request::Mkdir(Default::default()),
            Method::PtyExecStart => Request::PtyExecStart(Default::default()),
            Method::PtyWriteStdin => Request::PtyWriteStdin(Default::default()),
            Method::Read => Request::Read(Default::default()),
            Method::Rm => Request::Rm(Default::default()),
            Method::Write => Request::Write(Default::default()),
        }
    }
}

impl<'a> Request<'a> {
    fn message(&mut self) -> &mut dyn Merge<'a> {
        match self {
            Request::ApplyPatch(m) => m,
            Request::Exec(m) => m,
            Request::Ls(m) => m,
            Request::Mkdir(m) => m,
            Request::PtyExecStart(m) => m,
            Request::PtyWriteStdin(m) => m,
            Request::Read(m) => m,
            Request::Rm(m) => m,
            Request::Write(m) => m,
        }
    }
}

impl<'a> Call<'a> {
    /// Decodes a message. The call borrows from it.
    pub fn decode(data: &'a [u8]) -> Result<Self, DecodeError> {
        let mut parts = Parts::default();
        decode_onto(&mut parts, data)?;
        match parts.request {
            Some(request) => Ok(Call {
                index: parts.index,
                time_ns: parts.time_ns,
                request,
            }),
            None => Err(DecodeError::missing("Call", "request", data)),
        }
    }

    /// Encodes the message.
    pub fn encode(&self) -> Vec<u8> {
        encode_to_vec(self)
    }
}

/// A call that is being read.
#[derive(Default)]
struct Parts<'a> {
    index: u64,
    time_ns: i64,
    request: Option<Request<'a>>,
}

impl<'a> Merge<'a> for Parts<'a> {
    fn names(&self) -> &'static Names {
        &Names {
            message: "Call",
            fields: &[
                "index",
                "time_ns",
                "apply_patch",
                "exec",
                "ls",
                "mkdir",
                "pty_exec_start",
                "pty_write_stdin",
                "read",
                "rm",
                "write",
            ],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.index = r.uint64(),
            2 => self.time_ns = r.int64(),
            num => match Method::from_number(num.into()) {
                Some(method) => {
                    let same = self.request.take().filter(|r| r.method() == method);
                    let request = self.request.insert(same.unwrap_or_else(|| method.into()));
                    r.merge(request.message());
                }
                None => r.skip(),
            },
        }
    }
}

impl Encode for Call<'_> {
    fn encode(&self, e: &mut Encoder) {
        let num = self.request.method() as u32;
        match &self.request {
            Request::ApplyPatch(m) => e.message(num, m),
            Request::Exec(m) => e.message(num, m),
            Request::Ls(m) => e.message(num, m),
            Request::Mkdir(m) => e.message(num, m),
            Request::PtyExecStart(m) => e.message(num, m),
            Request::PtyWriteStdin(m) => e.message(num, m),
            Request::Read(m) => e.message(num, m),
            Request::Rm(m) => e.message(num, m),
            Request::Write(m) => e.message(num, m),
        }
        e.uint(2, self.time_ns as u64);
        e.uint(1, self.index);
    }
}
