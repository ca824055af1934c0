use alloc::{borrow::Cow, boxed::Box, vec::Vec};

use crate::abi::{
    ApplyPatchRequest, ExecRequest, ExecResult, FileEntry, Limits, LsRequest, Method, MkdirRequest,
    Outcome, PtyExecStartRequest, PtyUpdate, PtyWriteStdinRequest, ReadRequest, RmRequest, Stream,
    Verdict, WriteRequest,
};
use crate::call::SessionState;
use crate::handler::{Handlers, Respond};
use crate::responder::{self, Responder};
use crate::settings::Settings;
use crate::{Call, Result};

type OnOpen = dyn FnMut(&Session<'_>) -> Result<()>;
type OnClose = dyn FnMut() -> Result<()>;

/// A guest: its name and version, and its handlers.
///
/// Responders of different methods that share a name are one handler for scripts. A
/// responder's result is encoded when it has returned. State that closures share is
/// best kept by a [`Responder`].
///
/// Methods that register panic when a name is registered twice for the same method,
/// or is empty; the host is told when it loads the guest.
#[must_use]
pub struct Guest {
    pub(crate) name: Cow<'static, str>,
    pub(crate) version: Cow<'static, str>,
    pub(crate) config_schema: Cow<'static, str>,
    pub(crate) handlers: Handlers,
    pub(crate) on_open: Vec<Box<OnOpen>>,
    pub(crate) on_close: Vec<Box<OnClose>>,
}

/// What a guest is told before its first call.
#[derive(Debug)]
pub struct Session<'a> {
    pub(crate) state: &'a SessionState,
}

impl<'a> Session<'a> {
    /// The guest's configuration.
    pub fn config(&self) -> Settings<'a> {
        Settings::new(&self.state.config)
    }

    /// The session's seed.
    pub fn seed(&self) -> u64 {
        self.state.seed
    }

    /// The virtual time at which the session starts, in nanoseconds since 1970 UTC.
    pub fn start_time_ns(&self) -> i64 {
        self.state.start_time_ns
    }

    /// What the host enforces: the defaults where it didn't say.
    pub fn limits(&self) -> Limits {
        self.state.limits
    }
}

impl Guest {
    /// A guest without handlers. The host shows its name and version.
    pub fn new(name: impl Into<Cow<'static, str>>, version: impl Into<Cow<'static, str>>) -> Self {
        Guest {
            name: name.into(),
            version: version.into(),
            config_schema: Cow::Borrowed(""),
            handlers: Handlers::default(),
            on_open: Vec::new(),
            on_close: Vec::new(),
        }
    }

    /// Sets a JSON Schema for the configuration, which the host checks before it
    /// opens the guest.
    pub fn config_schema(mut self, schema: impl Into<Cow<'static, str>>) -> Self {
        self.config_schema = schema.into();
        self
    }

    /// Has a function called when a session opens the guest, before any handler. An
    /// error says that the configuration isn't usable. Several are called in their
    /// order, up to the first error.
    pub fn on_open(mut self, f: impl FnMut(&Session<'_>) -> Result<()> + 'static) -> Self {
        self.on_open.push(Box::new(f));
        self
    }

    /// Has a function called when the session ends; not after a panic or a limit
    /// ended the guest. Several are called in the reverse order, up to the first
    /// error.
    pub fn on_close(mut self, f: impl FnMut() -> Result<()> + 'static) -> Self {
        self.on_close.push(Box::new(f));
        self
    }

    /// Answers `apply_patch` with what the patch tool prints.
    #[track_caller]
    pub fn apply_patch<T: Into<Cow<'static, str>>>(
        self,
        name: impl Into<Cow<'static, str>>,
        mut handler: impl FnMut(&Call<'_>, &ApplyPatchRequest<'_>) -> Result<T> + 'static,
    ) -> Self {
        self.add(
            name.into(),
            &[Method::ApplyPatch],
            Respond::ApplyPatch(Box::new(
                move |call: &Call<'_>, req: &ApplyPatchRequest<'_>| {
                    handler(call, req).map(Into::into)
                },
            )),
        )
    }

    /// Answers `exec`.
    #[track_caller]
    pub fn exec(
        self,
        name: impl Into<Cow<'static, str>>,
        handler: impl FnMut(&Call<'_>, &ExecRequest<'_>) -> Result<ExecResult> + 'static,
    ) -> Self {
        self.add(
            name.into(),
            &[Method::Exec],
            Respond::Exec(Box::new(handler)),
        )
    }

    /// Answers `ls`.
    #[track_caller]
    pub fn ls(
        self,
        name: impl Into<Cow<'static, str>>,
        handler: impl FnMut(&Call<'_>, &LsRequest<'_>) -> Result<Vec<FileEntry>> + 'static,
    ) -> Self {
        self.add(name.into(), &[Method::Ls], Respond::Ls(Box::new(handler)))
    }

    /// Answers `mkdir`.
    #[track_caller]
    pub fn mkdir(
        self,
        name: impl Into<Cow<'static, str>>,
        handler: impl FnMut(&Call<'_>, &MkdirRequest<'_>) -> Result<()> + 'static,
    ) -> Self {
        self.add(
            name.into(),
            &[Method::Mkdir],
            Respond::Mkdir(Box::new(handler)),
        )
    }

    /// Answers `pty_exec_start`.
    #[track_caller]
    pub fn pty_exec_start(
        self,
        name: impl Into<Cow<'static, str>>,
        handler: impl FnMut(&Call<'_>, &PtyExecStartRequest<'_>) -> Result<PtyUpdate> + 'static,
    ) -> Self {
        self.add(
            name.into(),
            &[Method::PtyExecStart],
            Respond::PtyExecStart(Box::new(handler)),
        )
    }

    /// Answers `pty_write_stdin`.
    #[track_caller]
    pub fn pty_write_stdin(
        self,
        name: impl Into<Cow<'static, str>>,
        handler: impl FnMut(&Call<'_>, &PtyWriteStdinRequest<'_>) -> Result<PtyUpdate> + 'static,
    ) -> Self {
        self.add(
            name.into(),
            &[Method::PtyWriteStdin],
            Respond::PtyWriteStdin(Box::new(handler)),
        )
    }

    /// Answers `read`.
    #[track_caller]
    pub fn read(
        self,
        name: impl Into<Cow<'static, str>>,
        handler: impl FnMut(&Call<'_>, &ReadRequest<'_>) -> Result<Stream<'static>> + 'static,
    ) -> Self {
        self.add(
            name.into(),
            &[Method::Read],
            Respond::Read(Box::new(handler)),
        )
    }

    /// Answers `rm`.
    #[track_caller]
    pub fn rm(
        self,
        name: impl Into<Cow<'static, str>>,
        handler: impl FnMut(&Call<'_>, &RmRequest<'_>) -> Result<()> + 'static,
    ) -> Self {
        self.add(name.into(), &[Method::Rm], Respond::Rm(Box::new(handler)))
    }

    /// Answers `write`.
    #[track_caller]
    pub fn write(
        self,
        name: impl Into<Cow<'static, str>>,
        handler: impl FnMut(&Call<'_>, &WriteRequest<'_>) -> Result<()> + 'static,
    ) -> Self {
        self.add(
            name.into(),
            &[Method::Write],
            Respond::Write(Box::new(handler)),
        )
    }

    /// Answers the methods given, or all of them when none is. The outcome must be the
    /// one of the call's method.
    #[track_caller]
    pub fn respond(
        self,
        name: impl Into<Cow<'static, str>>,
        methods: &[Method],
        handler: impl FnMut(&Call<'_>) -> Result<Outcome> + 'static,
    ) -> Self {
        self.add(name.into(), methods, Respond::Any(Box::new(handler)))
    }

    #[track_caller]
    fn add(mut self, name: Cow<'static, str>, methods: &[Method], respond: Respond) -> Self {
        self.handlers.add_responder(name, methods, respond);
        self
    }

    /// Answers the methods that a responder lists.
    #[track_caller]
    pub fn responder<R: Responder>(
        self,
        name: impl Into<Cow<'static, str>>,
        mut responder: R,
    ) -> Self {
        assert!(!R::METHODS.is_empty(), "a responder serves no method");
        self.respond(name, R::METHODS, move |call: &Call<'_>| {
            responder::respond(&mut responder, call)
        })
    }

    /// Decides about calls of the methods given, or of all of them when none is.
    #[track_caller]
    pub fn matcher(
        mut self,
        name: impl Into<Cow<'static, str>>,
        methods: &[Method],
        handler: impl FnMut(&Call<'_>) -> Result<Verdict> + 'static,
    ) -> Self {
        self.handlers
            .add_matcher(name.into(), methods, Box::new(handler));
        self
    }
}
