use alloc::{borrow::Cow, format, string::ToString, vec::Vec};

use crate::abi::{
    self, reply, DescriptionTexts, Encoder, GuestError, GuestErrorKind, HandlerKind, Method, Open,
    Outcome, MAX_MESSAGES,
};
use crate::call::SessionState;
use crate::error::Answer;
use crate::guest::Session;
use crate::handler::{self, Run};
use crate::{outcome_check, Call, Error, Guest, SDK_VERSION};

const MIN_BUFFER: usize = 4 << 10;
const MAX_BUFFER: usize = 64 << 20; // more than any message has that keeps to the host's limits

/// A guest in a session. Its methods named as the exports return encoded replies,
/// which are valid until the next of them is called.
pub struct Module {
    guest: Guest,
    session: SessionState,
    calls: u64, // of exports so far, which tells blobs of earlier calls
    input: Vec<u8>,
    output: Encoder,
}

impl Module {
    pub fn new(guest: Guest) -> Self {
        Module {
            guest,
            session: SessionState {
                limits: abi::Limits::DEFAULT,
                ..SessionState::default()
            },
            calls: 0,
            input: Vec::new(),
            output: Encoder::new(),
        }
    }

    /// The input buffer, with at least `size` bytes; `None`, and no buffer any more,
    /// for a size that no message has or that the memory hasn't the room for.
    pub fn buffer(&mut self, size: usize) -> Option<&mut [u8]> {
        if size > self.input.len() || self.input.is_empty() {
            let wanted = size.max(2 * self.input.len()).clamp(MIN_BUFFER, MAX_BUFFER);
            self.input = Vec::new();
            if size > wanted || self.input.try_reserve_exact(wanted).is_err() {
                return None;
            }
            self.input.resize(wanted, 0);
        }
        Some(&mut self.input)
    }

    pub fn describe(&mut self) -> &[u8] {
        let guest = &self.guest;
        self.output.clear();
        self.output.embedded(reply::DESCRIPTION, |e| {
            let texts = DescriptionTexts {
                name: &guest.name,
                version: &guest.version,
                sdk: "rust",
                sdk_version: SDK_VERSION,
                language: "rust",
                toolchain: "", // not known
                config_schema: &guest.config_schema,
            };
            texts.encode(e, |num, e| guest.handlers.describe(num, e));
        });
        self.reply(Ok(()))
    }

    /// Opens the session with the message of `len` bytes in the input buffer.
    pub fn open(&mut self, len: usize) -> &[u8] {
        let opened = self.opened(len);
        self.done(opened)
    }

    fn opened(&mut self, len: usize) -> Result<(), GuestError> {
        self.calls += 1;
        let open = Open::decode(message(&self.input, len)?).map_err(bad_message)?;
        self.session = SessionState {
            config: open.config,
            seed: open.seed,
            start_time_ns: open.start_time_ns,
            limits: open.limits.or_default(),
        };
        let session = Session {
            state: &self.session,
        };
        for hook in &mut self.guest.on_open {
            hook(&session).map_err(|e| failure(e, GuestErrorKind::BadConfig))?;
        }
        Ok(())
    }

    /// Asks a matcher about the call in the input buffer.
    pub fn matches(&mut self, id: u32, len: usize) -> &[u8] {
        let answered = self.answer(HandlerKind::Match, id, len);
        self.reply(answered)
    }

    /// Has a responder answer the call in the input buffer.
    pub fn respond(&mut self, id: u32, len: usize) -> &[u8] {
        let answered = self.answer(HandlerKind::Respond, id, len);
        self.reply(answered)
    }

    /// Finds the handler, decodes the call, and writes what the handler makes of it.
    fn answer(&mut self, kind: HandlerKind, id: u32, len: usize) -> Result<(), GuestError> {
        self.calls += 1;
        let handlers = &mut self.guest.handlers;
        let handler = match handlers.get_mut(kind, id) {
            Some(handler) => handler,
            None => return Err(unknown_handler(kind, id)),
        };
        let message = abi::Call::decode(message(&self.input, len)?).map_err(bad_message)?;
        let method = message.request.method();
        if !handler.serves(method) {
            return Err(unsupported_method(kind, handler.name(), method));
        }
        let call = Call {
            message,
            session: &self.session,
            number: self.calls,
        };
        self.output.clear();
        match &mut handler.run {
            Run::Match(run) => {
                let verdict = run
                    .ask(&call)
                    .map_err(|e| failure(e, GuestErrorKind::HandlerFailed))?;
                self.output.message(reply::VERDICT, &verdict);
            }
            Run::Respond(routes) => {
                let outcome = responded(handler::respond(routes, &call), &call)?;
                self.output.message(reply::OUTCOME, &outcome);
            }
        }
        Ok(())
    }

    pub fn close(&mut self) -> &[u8] {
        self.calls += 1;
        let mut closed = Ok(());
        for hook in self.guest.on_close.iter_mut().rev() {
            closed = hook().map_err(|e| failure(e, GuestErrorKind::HandlerFailed));
            if closed.is_err() {
                break;
            }
        }
        self.done(closed)
    }

    fn done(&mut self, done: Result<(), GuestError>) -> &[u8] {
        self.output.clear();
        self.output.embedded(reply::DONE, |_| {});
        self.reply(done)
    }

    /// The reply in the output buffer, or that of the error for which there is none.
    /// That it has more bytes than the host takes is for the host to say, which sees
    /// the length.
    #[inline(never)]
    fn reply(&mut self, written: Result<(), GuestError>) -> &[u8] {
        if let Err(error) = written {
            self.refuse(&error);
        }
        if self.output.messages() > MAX_MESSAGES {
            self.refuse(&too_many_parts());
        }
        self.output.as_slice()
    }

    #[cold]
    #[inline(never)]
    fn refuse(&mut self, error: &GuestError) {
        self.output.clear();
        self.output.message(reply::ERROR, error);
    }
}

/// What is sent of a responder's answer.
fn responded(answered: Result<Outcome, Error>, call: &Call<'_>) -> Result<Outcome, GuestError> {
    let mut outcome = match answered.map_err(Error::into_answer) {
        Ok(outcome) => outcome,
        Err(Answer::Sandbox(e)) => Outcome::Error(e),
        Err(Answer::Guest(kind, message)) => return Err(GuestError { kind, message }),
    };
    match outcome_check::prepare(&mut outcome, call) {
        Ok(()) => Ok(outcome),
        Err(e) => Err(failure(e, GuestErrorKind::HandlerFailed)),
    }
}

#[cold]
#[inline(never)]
fn too_many_parts() -> GuestError {
    GuestError {
        kind: GuestErrorKind::HandlerFailed,
        message: format!("the reply has more than {MAX_MESSAGES} parts").into(),
    }
}

#[cold]
#[inline(never)]
fn unknown_handler(kind: HandlerKind, id: u32) -> GuestError {
    GuestError {
        kind: GuestErrorKind::UnknownHandler,
        message: format!("no {} has the id {}", kind.name(), id).into(),
    }
}

#[cold]
#[inline(never)]
fn unsupported_method(kind: HandlerKind, name: &str, method: Method) -> GuestError {
    GuestError {
        kind: GuestErrorKind::UnsupportedMethod,
        message: format!(
            "the {} {} doesn't serve {}",
            kind.name(),
            name,
            method.name()
        )
        .into(),
    }
}

fn message(input: &[u8], len: usize) -> Result<&[u8], GuestError> {
    input.get(..len).ok_or(GuestError {
        kind: GuestErrorKind::BadMessage,
        message: Cow::Borrowed("the message is longer than the input buffer"),
    })
}

#[cold]
#[inline(never)]
fn bad_message(e: abi::DecodeError) -> GuestError {
    GuestError {
        kind: GuestErrorKind::BadMessage,
        message: e.to_string().into(),
    }
}

/// The guest error of a hook or matcher that failed, of a kind unless the error says
/// otherwise. A sandbox error answers nothing there.
#[cold]
#[inline(never)]
fn failure(e: Error, default: GuestErrorKind) -> GuestError {
    match e.into_answer() {
        Answer::Sandbox(e) => GuestError {
            kind: default,
            message: e.to_string().into(),
        },
        Answer::Guest(GuestErrorKind::HandlerFailed, message) => GuestError {
            kind: default,
            message,
        },
        Answer::Guest(kind, message) => GuestError { kind, message },
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::abi::{LsRequest, Reply, Verdict};
    use std::string::String;

    fn module() -> Module {
        Module::new(Guest::new("test", "1").matcher("ls", &[Method::Ls], |_| Ok(Verdict::accept())))
    }

    fn write(module: &mut Module, message: &[u8]) -> usize {
        module.buffer(message.len()).unwrap()[..message.len()].copy_from_slice(message);
        message.len()
    }

    fn call() -> Vec<u8> {
        abi::Call {
            index: 0,
            time_ns: 0,
            request: LsRequest::default().into(),
        }
        .encode()
    }

    fn refusal(reply: &[u8]) -> (GuestErrorKind, String) {
        match Reply::decode(reply) {
            Ok(Reply::Error(e)) => (e.kind, e.message.into_owned()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn ids_are_those_of_handlers_of_that_kind() {
        let mut module = module();
        let len = write(&mut module, &call());
        assert_eq!(
            Reply::decode(module.matches(1, len)),
            Ok(Reply::Verdict(Verdict::accept()))
        );
        for id in [0, 2, u32::MAX] {
            let want = format!("no matcher has the id {id}");
            assert_eq!(
                refusal(module.matches(id, len)),
                (GuestErrorKind::UnknownHandler, want)
            );
        }
        assert_eq!(
            refusal(module.respond(1, len)),
            (
                GuestErrorKind::UnknownHandler,
                "no responder has the id 1".into()
            )
        );
    }

    #[test]
    fn messages_that_cannot_be_decoded_are_refused() {
        let mut module = module();
        let too_long = (
            GuestErrorKind::BadMessage,
            "the message is longer than the input buffer".into(),
        );
        assert_eq!(refusal(module.matches(1, 1)), too_long);
        assert_eq!(refusal(module.open(1)), too_long);
        let len = write(&mut module, &[0x08]);
        let message = "decoding Call.index at byte 0: the data ends too early";
        let truncated = (GuestErrorKind::BadMessage, message.into());
        assert_eq!(refusal(module.matches(1, len)), truncated);
        let missing = "decoding Call.request at byte 0: what has to be set is missing";
        assert_eq!(
            refusal(module.matches(1, 0)),
            (GuestErrorKind::BadMessage, missing.into())
        );
        assert_eq!(Reply::decode(module.open(0)), Ok(Reply::Done));
    }

    #[test]
    fn the_buffer_stays_where_it_is_until_it_is_too_small() {
        let mut module = module();
        let place = |module: &mut Module, size| module.buffer(size).map(|b| (b.as_ptr(), b.len()));
        let first = place(&mut module, 0);
        assert_eq!(first.unwrap().1, MIN_BUFFER);
        assert_eq!(place(&mut module, MIN_BUFFER), first);
        assert_eq!(
            place(&mut module, MIN_BUFFER + 1).unwrap().1,
            2 * MIN_BUFFER
        );
        for size in [MAX_BUFFER + 1, u32::MAX as usize] {
            assert_eq!(place(&mut module, size), None);
            // It lives on, without a buffer.
            assert_eq!(refusal(module.matches(1, 1)).0, GuestErrorKind::BadMessage);
            assert!(place(&mut module, 1).is_some());
        }
    }
}
