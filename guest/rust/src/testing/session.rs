use std::cell::RefCell;
use std::fmt;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::rc::Rc;

use super::host::{LogLine, TestHost};
use crate::abi::{
    Call, Description, GuestError, HandlerKind, Limits, Map, Open, Outcome, Reply, Request,
    SandboxError, Verdict,
};
use crate::host::with_host;
use crate::module::Module;
use crate::{panic_report, Guest};

/// The virtual time of the first call: the start of the year 2000.
const START_TIME_NS: i64 = 946_684_800_000_000_000;

/// The virtual time between two calls.
const STEP_NS: i64 = 1_000_000_000;

/// A host that talks to a guest of this test binary.
pub struct TestSession {
    module: Module,
    host: Rc<RefCell<TestHost>>,
    description: Description,
    index: u64,
}

/// Why a call wasn't answered with a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The handler returned a sandbox error.
    Sandbox(SandboxError),
    /// The guest couldn't answer.
    Guest(GuestError),
    /// The guest panicked. It is dead: calls after this one fail in the same way.
    Panic {
        /// What went wrong.
        message: String,
        /// The source file.
        file: String,
        /// The line in it.
        line: u32,
    },
    /// The guest's reply is longer than the host takes.
    ReplyLimit {
        /// Of the reply, in bytes.
        size: u64,
        /// In bytes.
        limit: u64,
    },
    /// The guest answered with what a host doesn't take.
    BadReply(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Sandbox(e) => e.fmt(f),
            Failure::Guest(e) => e.fmt(f),
            Failure::Panic {
                message,
                file,
                line,
            } => write!(f, "the guest panicked: {message} ({file}:{line})"),
            Failure::ReplyLimit { size, limit } => {
                write!(f, "the reply has {size} bytes, the host takes {limit}")
            }
            Failure::BadReply(reason) => write!(f, "bad reply: {reason}"),
        }
    }
}

impl std::error::Error for Failure {}

impl TestSession {
    /// Opens a session without configuration. It panics when the guest refuses.
    pub fn new(guest: Guest) -> Self {
        Self::with_config(guest, Map::new())
    }

    /// Opens a session with a configuration. It panics when the guest refuses it.
    pub fn with_config(guest: Guest, config: impl Into<Map>) -> Self {
        match Self::open(guest, config, Limits::default()) {
            Ok(session) => session,
            Err(failure) => panic!("opening the session: {failure}"),
        }
    }

    /// Opens a session, with the default for each limit that is 0. It fails when the
    /// guest refuses the configuration.
    pub fn open(guest: Guest, config: impl Into<Map>, limits: Limits) -> Result<Self, Failure> {
        panic_report::install();
        let host = TestHost::new(limits.or_default());
        let mut session = TestSession {
            module: Module::new(guest),
            host: Rc::new(RefCell::new(host)),
            description: Description::default(),
            index: 0,
        };
        session.description = match session.call(|module| module.describe().to_vec())? {
            Reply::Description(description) => description,
            reply => return Err(unexpected(&reply)),
        };
        let open = Open {
            config: config.into(),
            seed: 0,
            start_time_ns: START_TIME_NS,
            limits,
        };
        match session.send(&open.encode(), |module, len| module.open(len).to_vec())? {
            Reply::Done => Ok(session),
            reply => Err(unexpected(&reply)),
        }
    }

    /// What the guest tells about itself.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// All lines logged so far.
    pub fn log(&self) -> Vec<LogLine> {
        self.host.borrow().log.clone()
    }

    /// Asks a matcher about a call. It panics when no matcher has the name.
    pub fn matches<'a>(
        &mut self,
        name: &str,
        request: impl Into<Request<'a>>,
    ) -> Result<Verdict, Failure> {
        let id = self.find(HandlerKind::Match, name);
        let message = self.message(request.into());
        match self.send(&message, |module, len| module.matches(id, len).to_vec())? {
            Reply::Verdict(verdict) => Ok(verdict),
            reply => Err(unexpected(&reply)),
        }
    }

    /// Has a responder answer a call. Content of the outcome is inline, however large.
    /// It panics when no responder has the name. The methods named as those of a
    /// sandbox are easier to use.
    pub fn respond<'a>(
        &mut self,
        name: &str,
        request: impl Into<Request<'a>>,
    ) -> Result<Outcome, Failure> {
        let id = self.find(HandlerKind::Respond, name);
        let message = self.message(request.into());
        self.index += 1;
        match self.send(&message, |module, len| module.respond(id, len).to_vec())? {
            Reply::Outcome(Outcome::Error(e)) => Err(Failure::Sandbox(e)),
            Reply::Outcome(mut outcome) => {
                let inlined = self.host.borrow().inline(&mut outcome);
                inlined.map_err(Failure::BadReply)?;
                Ok(outcome)
            }
            reply => Err(unexpected(&reply)),
        }
    }

    /// Ends the session.
    pub fn close(mut self) -> Result<(), Failure> {
        match self.call(|module| module.close().to_vec())? {
            Reply::Done => Ok(()),
            reply => Err(unexpected(&reply)),
        }
    }

    fn find(&self, kind: HandlerKind, name: &str) -> u32 {
        let handlers = &self.description.handlers;
        match handlers.iter().find(|h| h.kind == kind && h.name == name) {
            Some(handler) => handler.id,
            None => panic!("no {} is called {name:?}", kind.name()),
        }
    }

    /// Encodes the next call, with large content as a blob.
    fn message(&self, mut request: Request<'_>) -> Vec<u8> {
        let mut host = self.host.borrow_mut();
        host.begin();
        if let Request::Write(req) = &mut request {
            host.content(&mut req.data.content);
        }
        let call = Call {
            index: self.index,
            time_ns: START_TIME_NS + self.index as i64 * STEP_NS,
            request,
        };
        call.encode()
    }

    /// Calls an export that takes a message.
    pub(crate) fn send(
        &mut self,
        message: &[u8],
        export: impl FnOnce(&mut Module, usize) -> Vec<u8>,
    ) -> Result<Reply, Failure> {
        match self.module.buffer(message.len()) {
            Some(buffer) => buffer[..message.len()].copy_from_slice(message),
            None => {
                return Err(Failure::BadReply(
                    "the guest has no room for the message".into(),
                ))
            }
        }
        self.call(|module| export(module, message.len()))
    }

    /// Calls an export, unless the guest is dead.
    fn call(&mut self, export: impl FnOnce(&mut Module) -> Vec<u8>) -> Result<Reply, Failure> {
        self.check_alive()?;
        let module = &mut self.module;
        let reply = with_host(self.host.clone(), || {
            // A module whose handler has panicked isn't called again.
            catch_unwind(AssertUnwindSafe(|| export(module)))
        });
        self.check_alive()?;
        let reply = match reply {
            Ok(reply) => reply,
            Err(_) => return Err(Failure::BadReply("a panic that wasn't reported".into())),
        };
        let (size, limit) = (reply.len() as u64, self.host.borrow().limits.reply_bytes);
        if size > limit {
            return Err(Failure::ReplyLimit { size, limit });
        }
        match Reply::decode(&reply) {
            Ok(Reply::Error(e)) => Err(Failure::Guest(e)),
            Ok(reply) => Ok(reply),
            Err(e) => Err(Failure::BadReply(e.to_string())),
        }
    }

    fn check_alive(&self) -> Result<(), Failure> {
        let host = self.host.borrow();
        host.panic.as_ref().map_or(Ok(()), |panic| {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            Err(Failure::Panic {
                message: text(&panic.message),
                file: text(&panic.file),
                line: panic.line,
            })
        })
    }
}

fn unexpected(reply: &Reply) -> Failure {
    Failure::BadReply(format!("unexpected: {reply:?}"))
}
