use crate::abi::{self, Limits, Map, Method, Request};
use crate::settings::Settings;
use crate::writer::Writer;

/// One call of a session. It lasts until the handler returns, and so does what it
/// refers to.
#[derive(Debug)]
pub struct Call<'a> {
    pub(crate) message: abi::Call<'a>,
    pub(crate) session: &'a SessionState,
    pub(crate) number: u64,
}

/// What a guest was told when the session was opened.
#[derive(Debug, Default)]
pub(crate) struct SessionState {
    pub config: Map,
    pub seed: u64,
    pub start_time_ns: i64,
    pub limits: Limits,
}

impl<'a> Call<'a> {
    /// The zero-based position of the call in the session's history.
    pub fn index(&self) -> u64 {
        self.message.index
    }

    /// The virtual time of the call, in nanoseconds since 1970 UTC.
    pub fn time_ns(&self) -> i64 {
        self.message.time_ns
    }

    /// The method called.
    pub fn method(&self) -> Method {
        self.message.request.method()
    }

    /// The method called, and its arguments.
    pub fn request(&self) -> &Request<'a> {
        &self.message.request
    }

    /// The guest's configuration.
    pub fn config(&self) -> Settings<'a> {
        Settings::new(&self.session.config)
    }

    /// The session's seed.
    pub fn seed(&self) -> u64 {
        self.session.seed
    }

    /// The virtual time at which the session started, in nanoseconds since 1970 UTC.
    pub fn start_time_ns(&self) -> i64 {
        self.session.start_time_ns
    }

    /// What the host enforces: the defaults where it didn't say.
    pub fn limits(&self) -> Limits {
        self.session.limits
    }

    /// A writer for a result of this call that is made in pieces.
    pub fn writer(&self) -> Writer<'_> {
        Writer::new(self)
    }
}
