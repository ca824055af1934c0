use super::session::{Failure, TestSession};
use crate::abi::{
    ApplyPatchRequest, ExecRequest, ExecResult, FileEntry, LsRequest, MkdirRequest, Outcome,
    PtyExecStartRequest, PtyUpdate, PtyWriteStdinRequest, ReadRequest, RmRequest, Stream,
    WriteRequest,
};

/// The outcome's part, or a failure for an outcome of another method.
macro_rules! expect {
    ($outcome:expr, $pattern:pat => $part:expr) => {
        match $outcome? {
            $pattern => Ok($part),
            other => Err(Failure::BadReply(format!(
                "an outcome of kind {}",
                other.kind()
            ))),
        }
    };
}

/// One method for each of a sandbox's. They fail and panic as
/// [`respond`](TestSession::respond) does.
impl TestSession {
    /// Has a responder answer `apply_patch`.
    pub fn apply_patch(&mut self, name: &str, req: ApplyPatchRequest) -> Result<String, Failure> {
        expect!(self.respond(name, req), Outcome::Text(text) => text.into_owned())
    }

    /// Has a responder answer `exec`.
    pub fn exec(&mut self, name: &str, req: ExecRequest) -> Result<ExecResult, Failure> {
        expect!(self.respond(name, req), Outcome::Exec(result) => result)
    }

    /// Has a responder answer `ls`.
    pub fn ls(&mut self, name: &str, req: LsRequest) -> Result<Vec<FileEntry>, Failure> {
        expect!(self.respond(name, req), Outcome::Listing(entries) => entries)
    }

    /// Has a responder answer `mkdir`.
    pub fn mkdir(&mut self, name: &str, req: MkdirRequest) -> Result<(), Failure> {
        expect!(self.respond(name, req), Outcome::Void => ())
    }

    /// Has a responder answer `pty_exec_start`.
    pub fn pty_exec_start(
        &mut self,
        name: &str,
        req: PtyExecStartRequest,
    ) -> Result<PtyUpdate, Failure> {
        expect!(self.respond(name, req), Outcome::Pty(update) => update)
    }

    /// Has a responder answer `pty_write_stdin`.
    pub fn pty_write_stdin(
        &mut self,
        name: &str,
        req: PtyWriteStdinRequest,
    ) -> Result<PtyUpdate, Failure> {
        expect!(self.respond(name, req), Outcome::Pty(update) => update)
    }

    /// Has a responder answer `read`.
    pub fn read(&mut self, name: &str, req: ReadRequest) -> Result<Stream<'static>, Failure> {
        expect!(self.respond(name, req), Outcome::Stream(stream) => stream)
    }

    /// Has a responder answer `rm`.
    pub fn rm(&mut self, name: &str, req: RmRequest) -> Result<(), Failure> {
        expect!(self.respond(name, req), Outcome::Void => ())
    }

    /// Has a responder answer `write`.
    pub fn write(&mut self, name: &str, req: WriteRequest) -> Result<(), Failure> {
        expect!(self.respond(name, req), Outcome::Void => ())
    }
}
