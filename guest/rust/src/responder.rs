use alloc::{borrow::Cow, vec::Vec};

use crate::abi::{
    ApplyPatchRequest, ExecRequest, ExecResult, FileEntry, LsRequest, Method, MkdirRequest,
    Outcome, PtyExecStartRequest, PtyUpdate, PtyWriteStdinRequest, ReadRequest, Request, RmRequest,
    Stream, WriteRequest,
};
use crate::{Call, Error, Result};

/// A responder with state that several methods share, for
/// [`Guest::responder`](crate::Guest::responder). Implement the methods that it
/// serves, and list them in [`METHODS`](Responder::METHODS).
///
/// ```
/// use std::collections::BTreeMap;
/// use wasmsandbox::*;
///
/// #[derive(Default)]
/// struct Store(BTreeMap<Vec<u8>, Vec<u8>>);
///
/// impl Responder for Store {
///     const METHODS: &'static [Method] = &[Method::Read, Method::Write];
///
///     fn read(&mut self, _: &Call, req: &ReadRequest) -> Result<Stream<'static>> {
///         let data = self.0.get(req.path).ok_or_else(|| SandboxError::new(codes::WORKSPACE_READ_NOT_FOUND))?;
///         Ok(Stream::bytes(data.clone()))
///     }
///
///     fn write(&mut self, _: &Call, req: &WriteRequest) -> Result<()> {
///         self.0.insert(req.path.to_vec(), req.data.to_vec()?);
///         Ok(())
///     }
/// }
///
/// fn guest() -> Guest {
///     Guest::new("files", "1.0.0").responder("store", Store::default())
/// }
/// ```
#[allow(unused_variables)]
pub trait Responder: 'static {
    /// The methods that it serves. Calls of others don't reach it.
    const METHODS: &'static [Method];

    /// Answers `apply_patch` with what the patch tool prints.
    fn apply_patch(&mut self, call: &Call, req: &ApplyPatchRequest) -> Result<Cow<'static, str>> {
        Err(Error::unsupported_method())
    }

    /// Answers `exec`.
    fn exec(&mut self, call: &Call, req: &ExecRequest) -> Result<ExecResult> {
        Err(Error::unsupported_method())
    }

    /// Answers `ls`.
    fn ls(&mut self, call: &Call, req: &LsRequest) -> Result<Vec<FileEntry>> {
        Err(Error::unsupported_method())
    }

    /// Answers `mkdir`.
    fn mkdir(&mut self, call: &Call, req: &MkdirRequest) -> Result<()> {
        Err(Error::unsupported_method())
    }

    /// Answers `pty_exec_start`.
    fn pty_exec_start(&mut self, call: &Call, req: &PtyExecStartRequest) -> Result<PtyUpdate> {
        Err(Error::unsupported_method())
    }

    /// Answers `pty_write_stdin`.
    fn pty_write_stdin(&mut self, call: &Call, req: &PtyWriteStdinRequest) -> Result<PtyUpdate> {
        Err(Error::unsupported_method())
    }

    /// Answers `read`.
    fn read(&mut self, call: &Call, req: &ReadRequest) -> Result<Stream<'static>> {
        Err(Error::unsupported_method())
    }

    /// Answers `rm`.
    fn rm(&mut self, call: &Call, req: &RmRequest) -> Result<()> {
        Err(Error::unsupported_method())
    }

    /// Answers `write`.
    fn write(&mut self, call: &Call, req: &WriteRequest) -> Result<()> {
        Err(Error::unsupported_method())
    }
}

/// Has a responder answer a call.
pub(crate) fn respond(responder: &mut impl Responder, call: &Call<'_>) -> Result<Outcome> {
    match call.request() {
        Request::ApplyPatch(req) => responder.apply_patch(call, req).map(Outcome::Text),
        Request::Exec(req) => responder.exec(call, req).map(Outcome::Exec),
        Request::Ls(req) => responder.ls(call, req).map(Outcome::Listing),
        Request::Mkdir(req) => responder.mkdir(call, req).map(|()| Outcome::Void),
        Request::PtyExecStart(req) => responder.pty_exec_start(call, req).map(Outcome::Pty),
        Request::PtyWriteStdin(req) => responder.pty_write_stdin(call, req).map(Outcome::Pty),
        Request::Read(req) => responder.read(call, req).map(Outcome::Stream),
        Request::Rm(req) => responder.rm(call, req).map(|()| Outcome::Void),
        Request::Write(req) => responder.write(call, req).map(|()| Outcome::Void),
    }
}
