use alloc::{borrow::Cow, boxed::Box, vec::Vec};

use crate::abi::{
    ApplyPatchRequest, Encoder, ExecRequest, ExecResult, FileEntry, HandlerKind, LsRequest, Method,
    MkdirRequest, Outcome, PtyExecStartRequest, PtyUpdate, PtyWriteStdinRequest, ReadRequest,
    Request, RmRequest, Stream, Verdict, WriteRequest,
};
use crate::{Call, Error, Result};

/// A function of a call. A trait of its own has smaller objects than `FnMut`, which
/// can also be called once.
pub(crate) trait Ask<T> {
    fn ask(&mut self, call: &Call<'_>) -> Result<T>;
}

impl<T, F: FnMut(&Call<'_>) -> Result<T>> Ask<T> for F {
    fn ask(&mut self, call: &Call<'_>) -> Result<T> {
        self(call)
    }
}

/// A function of a call and its request.
pub(crate) trait Answer<Q, T> {
    fn answer(&mut self, call: &Call<'_>, request: &Q) -> Result<T>;
}

impl<Q, T, F: FnMut(&Call<'_>, &Q) -> Result<T>> Answer<Q, T> for F {
    fn answer(&mut self, call: &Call<'_>, request: &Q) -> Result<T> {
        self(call, request)
    }
}

/// A responder of one method, or of any. What it returns becomes an outcome here, not
/// in the code of each handler.
#[allow(missing_docs)]
pub(crate) enum Respond {
    ApplyPatch(Box<dyn for<'a> Answer<ApplyPatchRequest<'a>, Cow<'static, str>>>),
    Exec(Box<dyn for<'a> Answer<ExecRequest<'a>, ExecResult>>),
    Ls(Box<dyn for<'a> Answer<LsRequest<'a>, Vec<FileEntry>>>),
    Mkdir(Box<dyn for<'a> Answer<MkdirRequest<'a>, ()>>),
    PtyExecStart(Box<dyn for<'a> Answer<PtyExecStartRequest<'a>, PtyUpdate>>),
    PtyWriteStdin(Box<dyn for<'a> Answer<PtyWriteStdinRequest<'a>, PtyUpdate>>),
    Read(Box<dyn for<'a> Answer<ReadRequest<'a>, Stream<'static>>>),
    Rm(Box<dyn for<'a> Answer<RmRequest<'a>, ()>>),
    Write(Box<dyn for<'a> Answer<WriteRequest<'a>, ()>>),
    Any(Box<dyn Ask<Outcome>>),
}

impl Respond {
    fn run(&mut self, call: &Call<'_>) -> Result<Outcome> {
        use Respond as R;
        match (self, call.request()) {
            (R::ApplyPatch(f), Request::ApplyPatch(req)) => f.answer(call, req).map(Outcome::Text),
            (R::Exec(f), Request::Exec(req)) => f.answer(call, req).map(Outcome::Exec),
            (R::Ls(f), Request::Ls(req)) => f.answer(call, req).map(Outcome::Listing),
            (R::Mkdir(f), Request::Mkdir(req)) => f.answer(call, req).map(Outcome::from),
            (R::PtyExecStart(f), Request::PtyExecStart(req)) => {
                f.answer(call, req).map(Outcome::Pty)
            }
            (R::PtyWriteStdin(f), Request::PtyWriteStdin(req)) => {
                f.answer(call, req).map(Outcome::Pty)
            }
            (R::Read(f), Request::Read(req)) => f.answer(call, req).map(Outcome::Stream),
            (R::Rm(f), Request::Rm(req)) => f.answer(call, req).map(Outcome::from),
            (R::Write(f), Request::Write(req)) => f.answer(call, req).map(Outcome::from),
            (R::Any(f), _) => f.ask(call),
            _ => Err(Error::unsupported_method()),
        }
    }
}

/// A set of methods.
#[derive(Clone, Copy, Default, PartialEq)]
struct Methods(u16);

impl Methods {
    const ALL: Methods = Methods(0xff8); // bits 3 to 11

    /// The methods of a registration: those given, or all of them when none is.
    fn new(methods: &[Method]) -> Self {
        match methods {
            [] => Methods::ALL,
            _ => Methods(methods.iter().fold(0, |set, m| set | 1 << *m as u16)),
        }
    }

    /// The methods of both. It panics when the responder `name` serves one in both.
    #[track_caller]
    fn with(self, more: Methods, name: &str) -> Self {
        for method in Method::ALL {
            if self.has(method) && more.has(method) {
                panic!("the responder {name} is registered twice for {method}");
            }
        }
        Methods(self.0 | more.0)
    }

    fn has(self, method: Method) -> bool {
        self.0 & 1 << method as u16 != 0
    }
}

/// The handlers of a guest. Their ids count from 1, in the order in which their names
/// were first registered.
#[derive(Default)]
pub(crate) struct Handlers(Vec<Handler>);

/// What the host calls by one id: a matcher, or the responders that share a name.
pub(crate) struct Handler {
    name: Cow<'static, str>,
    methods: Methods,
    pub run: Run,
}

pub(crate) enum Run {
    Match(Box<dyn Ask<Verdict>>),
    Respond(Vec<Route>),
}

/// One responder, and the methods for which it is asked.
pub(crate) struct Route {
    methods: Methods,
    respond: Respond,
}

impl Handlers {
    /// Adds a matcher. It panics when the name is taken or empty.
    #[track_caller]
    pub fn add_matcher(
        &mut self,
        name: Cow<'static, str>,
        methods: &[Method],
        run: Box<dyn Ask<Verdict>>,
    ) {
        let mut matchers = self.0.iter().filter(|h| h.kind() == HandlerKind::Match);
        if matchers.any(|h| h.name == name) {
            panic!("the matcher {name} is registered twice");
        }
        self.add(name, Methods::new(methods), Run::Match(run));
    }

    /// Adds a responder. It panics when the name is taken for one of the methods, or
    /// empty.
    #[track_caller]
    pub fn add_responder(&mut self, name: Cow<'static, str>, methods: &[Method], respond: Respond) {
        let methods = Methods::new(methods);
        let route = Route { methods, respond };
        for handler in &mut self.0 {
            if let (Run::Respond(routes), true) = (&mut handler.run, handler.name == name) {
                handler.methods = handler.methods.with(methods, &name);
                routes.push(route);
                return;
            }
        }
        self.add(name, methods, Run::Respond(alloc::vec![route]));
    }

    #[track_caller]
    fn add(&mut self, name: Cow<'static, str>, methods: Methods, run: Run) {
        assert!(!name.is_empty(), "a handler has no name");
        self.0.push(Handler { name, methods, run });
    }

    /// The handler with an id, if it is of that kind.
    pub fn get_mut(&mut self, kind: HandlerKind, id: u32) -> Option<&mut Handler> {
        let index = usize::try_from(id).ok()?.checked_sub(1)?;
        self.0.get_mut(index).filter(|h| h.kind() == kind)
    }

    /// Tells the host of the handlers.
    pub fn describe(&self, num: u32, e: &mut Encoder) {
        for (i, handler) in self.0.iter().enumerate().rev() {
            e.embedded(num, |e| handler.describe(i as u32 + 1, e));
        }
    }
}

impl Handler {
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn serves(&self, method: Method) -> bool {
        self.methods.has(method)
    }

    fn kind(&self) -> HandlerKind {
        match self.run {
            Run::Match(_) => HandlerKind::Match,
            Run::Respond(_) => HandlerKind::Respond,
        }
    }

    fn describe(&self, id: u32, e: &mut Encoder) {
        let mut methods = [0; Method::ALL.len()];
        let mut n = 0;
        for method in Method::ALL {
            if self.methods != Methods::ALL && self.methods.has(method) {
                methods[n] = method as u8;
                n += 1;
            }
        }
        crate::abi::describe_handler(e, id, &self.name, self.kind(), &methods[..n]);
    }
}

/// Has the responder that serves the call's method answer it.
pub(crate) fn respond(routes: &mut [Route], call: &Call<'_>) -> Result<Outcome> {
    let method = call.method();
    match routes.iter_mut().find(|route| route.methods.has(method)) {
        Some(route) => route.respond.run(call),
        None => Err(Error::unsupported_method()),
    }
}
