//! Handlers, dispatch, errors and panics, through the test kit.

use std::cell::RefCell;
use std::rc::Rc;

use wasmsandbox::abi::{GuestError, GuestErrorKind, HandlerKind, Retryable};
use wasmsandbox::log::{self, Level};
use wasmsandbox::testing::{Failure, TestSession};
use wasmsandbox::*;

fn exec(parts: &[&'static str]) -> ExecRequest<'static> {
    ExecRequest::new(parts.iter().copied())
}

fn guest() -> Guest {
    Guest::new("test", "1.2.3")
}

fn guest_error(kind: GuestErrorKind, message: &str) -> Failure {
    Failure::Guest(GuestError {
        kind,
        message: message.to_string().into(),
    })
}

fn failed(message: &str) -> Failure {
    guest_error(GuestErrorKind::HandlerFailed, message)
}

fn small_limits() -> Limits {
    Limits {
        inline_bytes: 8,
        reply_bytes: 200,
        log_bytes: 10,
        blob_bytes: 100,
    }
}

#[test]
fn handlers_that_share_a_name_are_one() {
    let session = TestSession::new(
        guest()
            .read("file", |_, _| Ok(Stream::default()))
            .exec("run", |_, _| Ok(ExecResult::default()))
            .write("file", |_, _| Ok(()))
            .matcher(
                "file",
                &[Method::Write, Method::Exec, Method::Write],
                |_| Ok(Verdict::accept()),
            )
            .respond("any", &[], |_| Ok(Outcome::Void)),
    );
    let told: Vec<_> = session
        .description()
        .handlers
        .iter()
        .map(|h| (h.id, h.kind, &*h.name, &h.methods[..]))
        .collect();
    assert_eq!(
        told,
        [
            (
                1,
                HandlerKind::Respond,
                "file",
                &[Method::Read, Method::Write][..]
            ),
            (2, HandlerKind::Respond, "run", &[Method::Exec]),
            (
                3,
                HandlerKind::Match,
                "file",
                &[Method::Exec, Method::Write]
            ),
            (4, HandlerKind::Respond, "any", &[]),
        ]
    );
}

#[test]
#[should_panic(expected = "the responder run is registered twice for exec")]
fn a_responder_is_registered_once_for_a_method() {
    let run = |_: &Call, _: &ExecRequest| Ok(ExecResult::default());
    let _ = guest().exec("run", run).exec("run", run);
}

#[test]
#[should_panic(expected = "the matcher any is registered twice")]
fn a_matcher_is_registered_once() {
    let any = |_: &Call| Ok(Verdict::accept());
    let _ = guest()
        .matcher("any", &[], any)
        .matcher("any", &[Method::Ls], any);
}

#[test]
fn closures_keep_their_state() {
    let mut calls = 0;
    let mut session = TestSession::new(guest().exec("count", move |call, _| {
        calls += 1;
        Ok(ExecResult::exit(calls, call.index().to_string()))
    }));
    for i in 0..3 {
        let result = session.exec("count", exec(&[])).unwrap();
        assert_eq!(
            (result.exit_code, result.stderr),
            (i + 1, i.to_string().into())
        );
    }
}

#[test]
fn a_call_tells_its_time_and_session() {
    let mut session = TestSession::open(
        guest().matcher("all", &[], |call| {
            Ok(Verdict::reject(format!(
                "{} {} {} {:?}",
                call.method(),
                call.time_ns() - call.start_time_ns(),
                call.seed(),
                call.limits()
            )))
        }),
        Map::new(),
        small_limits(),
    )
    .unwrap();
    let verdict = session.matches("all", LsRequest::default()).unwrap();
    assert_eq!(verdict.reason, format!("ls 0 0 {:?}", small_limits()));
}

#[test]
fn errors_keep_their_meaning() {
    let mut session = TestSession::with_config(
        guest()
            .exec("sandbox", |_, _| {
                Err(SandboxError::new(codes::EXEC_TIMEOUT)
                    .with("timeout_s", 5)
                    .op("run")
                    .message("too slow")
                    .retryable(true))?
            })
            .exec("parse", |_, req| {
                let code = req.part(0).ok_or("no code")?.parse()?;
                Ok(ExecResult::exit(code, ""))
            })
            .exec("setting", |call, _| {
                let depth = call.config().section("tree")?.int("depth", 1)?;
                Ok(ExecResult::exit(depth as i32, ""))
            })
            .exec("no code", |_, _| Err(SandboxError::new("").into()))
            .exec("deep", |_, _| {
                let deep = (0..64).fold(Value::Null, |v, _| Value::List(vec![v]));
                Err(SandboxError::new(codes::GIT_CLONE)
                    .with("deep", deep)
                    .into())
            })
            .respond("other kind", &[], |_| Ok(Outcome::Void)),
        [("tree", Map::from([("depth", "deep")]))],
    );
    let raised = session.exec("sandbox", exec(&[])).unwrap_err();
    let e = match raised {
        Failure::Sandbox(e) => e,
        other => panic!("{other}"),
    };
    assert_eq!(
        (&*e.code, &*e.op, &*e.message),
        ("exec_timeout", "run", "too slow")
    );
    assert_eq!(
        (e.retryable, e.context.get("timeout_s")),
        (Retryable::Yes, Some(&Value::Int(5)))
    );

    let mut fails = |name, parts: &[&'static str]| session.exec(name, exec(parts)).unwrap_err();
    assert_eq!(fails("parse", &[]), failed("no code"));
    assert_eq!(
        fails("parse", &["x"]),
        failed("invalid digit found in string")
    );
    let config = "config: tree.depth must be an integer";
    assert_eq!(
        fails("setting", &[]),
        guest_error(GuestErrorKind::BadConfig, config)
    );
    assert_eq!(
        fails("no code", &[]),
        failed("the handler returned a sandbox error without a code")
    );
    assert_eq!(
        fails("deep", &[]),
        failed("the context of the sandbox error is nested too deeply")
    );
    assert_eq!(
        fails("other kind", &[]),
        failed("the handler returned void, exec wants exec")
    );
    assert_eq!(session.rm("other kind", RmRequest::default()), Ok(()));
}

#[test]
fn a_handler_is_not_asked_for_other_methods() {
    let mut session = TestSession::new(
        guest()
            .exec("run", |_, _| Ok(ExecResult::default()))
            .matcher("run", &[Method::Exec], |_| Ok(Verdict::accept())),
    );
    let refused = |what: &str| {
        guest_error(
            GuestErrorKind::UnsupportedMethod,
            &format!("the {what} run doesn't serve ls"),
        )
    };
    assert_eq!(
        session.ls("run", LsRequest::default()),
        Err(refused("responder"))
    );
    assert_eq!(
        session.matches("run", LsRequest::default()),
        Err(refused("matcher"))
    );
}

#[test]
fn open_and_close_hooks_run_in_their_order() {
    let seen = Rc::new(RefCell::new(Vec::new()));
    let note = |text: &'static str| {
        let seen = seen.clone();
        move || {
            seen.borrow_mut().push(text);
            Ok(())
        }
    };
    let (o1, o2, c1, c2) = (
        note("open 1"),
        note("open 2"),
        note("close 1"),
        note("close 2"),
    );
    let session = TestSession::new(
        guest()
            .on_open(move |_| o1())
            .on_close(c1)
            .on_open(move |_| o2())
            .on_close(c2),
    );
    session.close().unwrap();
    assert_eq!(*seen.borrow(), ["open 1", "open 2", "close 2", "close 1"]);
}

#[test]
fn a_configuration_can_be_refused() {
    let open = |config: Map| {
        let guest = guest().on_open(|session| {
            let branches = session.config().texts("branches")?;
            if branches.is_empty() && !session.config().bool("bare", false)? {
                return Err("no branches".into());
            }
            Ok(())
        });
        TestSession::open(guest, config, Limits::default()).map(|_| ())
    };
    let refused = |message| Err(guest_error(GuestErrorKind::BadConfig, message));
    assert_eq!(open(Map::new()), refused("no branches"));
    assert_eq!(
        open(Map::from([("bare", 1)])),
        refused("config: bare must be true or false")
    );
    let numbers = Map::from([("branches", vec![Value::Int(1)])]);
    assert_eq!(
        open(numbers),
        refused("config: branches must be a list of texts")
    );
    assert_eq!(
        open(Map::from([("branches", vec![Value::from("main")])])),
        Ok(())
    );
    assert_eq!(open(Map::from([("bare", true)])), Ok(()));
}

#[test]
fn a_reply_over_the_limit_is_an_error() {
    let mut session = TestSession::open(
        guest().matcher("long", &[], |_| Ok(Verdict::reject("x".repeat(200)))),
        Map::new(),
        small_limits(),
    )
    .unwrap();
    let refused = Failure::ReplyLimit {
        size: 208,
        limit: 200,
    };
    assert_eq!(session.matches("long", LsRequest::default()), Err(refused));
}

#[test]
fn a_reply_with_too_many_parts_is_an_error() {
    let mut session =
        TestSession::new(guest().ls("many", |_, _| Ok(vec![FileEntry::default(); 1 << 18])));
    let refused = failed("the reply has more than 262144 parts");
    assert_eq!(session.ls("many", LsRequest::default()), Err(refused));
}

#[test]
fn a_full_log_fails_no_handler() {
    let mut session = TestSession::open(
        guest().exec("log", |_, req| {
            for (part, level) in req.command.iter().zip(Level::ALL) {
                log::log(level, part);
            }
            Ok(ExecResult::default())
        }),
        Map::new(),
        small_limits(),
    )
    .unwrap();
    session
        .exec("log", exec(&["a\u{e9}", "12345", "6789", "x"]))
        .unwrap();
    let lines: Vec<_> = session
        .log()
        .into_iter()
        .map(|l| (l.level, l.text))
        .collect();
    let want = [
        (Level::Debug, "a\u{e9}"),
        (Level::Info, "12345"),
        (Level::Warn, "67"),
    ];
    assert_eq!(lines, want.map(|(level, text)| (level, text.to_string())));
}

#[test]
fn a_panic_is_reported_with_its_line_and_is_the_end() {
    let mut session = TestSession::new(guest().exec("panic", |_, req| {
        Ok(ExecResult::stdout(req.command[5].to_vec())) // out of range
    }));
    let line = line!() - 2;
    let died = session.exec("panic", exec(&[])).unwrap_err();
    match &died {
        Failure::Panic {
            message,
            file,
            line: at,
        } => {
            assert_eq!(
                message,
                "index out of bounds: the len is 0 but the index is 5"
            );
            assert!(file.ends_with("tests/guest.rs"), "{file}");
            assert_eq!(*at, line);
        }
        other => panic!("{other}"),
    }
    assert_eq!(session.exec("panic", exec(&[])), Err(died.clone()));
    assert_eq!(session.close(), Err(died));
}

#[test]
fn responders_share_their_state_between_methods() {
    #[derive(Default)]
    struct Pad(Vec<u8>);

    impl Responder for Pad {
        const METHODS: &'static [Method] = &[Method::Write, Method::Read, Method::Rm];

        fn write(&mut self, _: &Call, req: &WriteRequest) -> Result<()> {
            self.0 = req.data.to_vec()?;
            Ok(())
        }

        fn read(&mut self, _: &Call, _: &ReadRequest) -> Result<Stream<'static>> {
            Ok(Stream::text(self.0.clone()))
        }
    }

    let mut session = TestSession::new(guest().responder("pad", Pad::default()));
    let write = WriteRequest {
        data: Stream::text("note"),
        ..WriteRequest::default()
    };
    session.write("pad", write).unwrap();
    assert_eq!(
        session.read("pad", ReadRequest::default()),
        Ok(Stream::text("note"))
    );
    // Listed, but not implemented.
    let refused = guest_error(
        GuestErrorKind::UnsupportedMethod,
        "the handler doesn't serve the call's method",
    );
    assert_eq!(session.rm("pad", RmRequest::default()), Err(refused));
}
