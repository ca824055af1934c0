//! What the kitchen sink does where its contract has the details.

use kitchen::guest;
use wasmsandbox::abi::{GuestErrorKind, Retryable};
use wasmsandbox::testing::{Failure, TestSession};
use wasmsandbox::*;

fn exec(parts: &[&'static str]) -> ExecRequest<'static> {
    ExecRequest::new(parts.iter().copied())
}

fn stdout(result: ExecResult) -> String {
    String::from_utf8(result.stdout.to_vec().unwrap()).unwrap()
}

fn last_line(session: &TestSession) -> String {
    session.log().pop().unwrap().text
}

#[test]
fn it_describes_itself() {
    let session = TestSession::new(guest());
    let d = session.description();
    assert_eq!(
        (&*d.name, &*d.version, &*d.language),
        ("kitchen-sink", "1.0.0", "rust")
    );
    assert_eq!((&*d.sdk, &*d.sdk_version), ("rust", SDK_VERSION));
    assert_eq!(d.config_schema, r#"{"type":"object"}"#);
    assert_eq!(d.handlers.len(), 18 + 7);
}

#[test]
fn a_depth_above_9_is_refused() {
    let open = |depth: Value| TestSession::open(guest(), [("depth", depth)], Limits::default());
    match open(10.into()).map(|_| ()) {
        Err(Failure::Guest(e)) => {
            assert_eq!(
                (e.kind, &*e.message),
                (GuestErrorKind::BadConfig, "depth is at most 9")
            );
        }
        other => panic!("{other:?}"),
    }
    assert!(open(9.into()).is_ok());
    assert!(open("10".into()).is_ok());
}

#[test]
fn render_writes_every_field() {
    let mut session = TestSession::new(guest());
    let request = ExecRequest {
        shell: Shell {
            mode: ShellMode::Argv,
            argv: vec![b"bash"],
        },
        user: "root",
        timeout_ns: -1,
        ..exec(&["git", ""])
    };
    let text = "method=exec\nindex=0\ntime_ns=946684800000000000\ncommand[0]=git\ncommand[1]=\n\
                timeout_ns=-1\nshell.mode=2\nshell.argv[0]=bash\nuser=root\n";
    assert_eq!(stdout(session.exec("render", request).unwrap()), text);
    assert_eq!(last_line(&session), text);

    let patch = ApplyPatchRequest {
        operations: vec![PatchOperation {
            kind: "update_file",
            path: b"a.txt",
            diff: Some(b"@@"),
            move_to: None,
        }],
        patch_format: "v4a",
    };
    assert_eq!(session.apply_patch("render", patch).unwrap(), "");
    let text = "operations[0].type=update_file\noperations[0].path=a.txt\n\
                operations[0].diff=@@\npatch_format=v4a\n";
    assert!(
        last_line(&session).ends_with(text),
        "{}",
        last_line(&session)
    );
}

#[test]
fn config_is_rendered() {
    let config = Map::from([
        ("bytes", Value::Bytes(vec![0, 0xff])),
        (
            "list",
            vec![Value::Null, true.into(), Value::Int(-1), "x\"".into()].into(),
        ),
        ("map", Map::from([("a", 1), ("b", 2)]).into()),
    ]);
    let mut session = TestSession::with_config(guest(), config);
    assert_eq!(
        stdout(session.exec("config", exec(&[])).unwrap()),
        "bytes=0x00ff\nlist=[null,true,-1,\"x\"\"]\nmap={a=1,b=2}\n"
    );
    assert_eq!(
        stdout(session.exec("setting", exec(&["none"])).unwrap()),
        "main"
    );
    assert!(matches!(
        session.exec("setting", exec(&["map"])),
        Err(Failure::Guest(e)) if e.kind == GuestErrorKind::BadConfig
    ));
}

#[test]
fn raise_returns_the_error_it_is_told() {
    let mut session = TestSession::new(guest());
    let raised = session.exec("raise", exec(&["c", "o", "m", "no", "full"]));
    let want = SandboxError::new("c").op("o").message("m").retryable(false);
    match raised {
        Err(Failure::Sandbox(mut e)) => {
            let context = std::mem::take(&mut e.context);
            assert_eq!(e, want);
            assert_eq!(context.len(), 9);
            assert_eq!(context.get("min"), Some(&Value::Int(i64::MIN)));
        }
        other => panic!("{other:?}"),
    }
    let raised = session.exec("raise", exec(&["c", "", "", "unknown", "none"]));
    let want = SandboxError::new("c");
    assert_eq!(want.retryable, Retryable::Unknown);
    assert_eq!(raised, Err(Failure::Sandbox(want)));
}

#[test]
fn the_store_keeps_files_from_their_position_on() {
    let mut session = TestSession::new(guest());
    for (path, position) in [("b", 1), ("a", 0), ("b", 2)] {
        let request = WriteRequest {
            path: path.as_bytes(),
            data: Stream {
                position,
                ..Stream::text("hello")
            },
            ..WriteRequest::default()
        };
        session.write("store", request).unwrap();
    }
    let listed = session.ls("store", LsRequest::default()).unwrap();
    let files: Vec<_> = listed
        .iter()
        .map(|f| (&f.path[..], f.size, f.permissions))
        .collect();
    assert_eq!(files, [(&b"a"[..], 5, 0o644), (b"b", 3, 0o644)]);
    let read = |path| ReadRequest {
        path,
        ..ReadRequest::default()
    };
    assert_eq!(session.read("store", read(b"b")), Ok(Stream::bytes("llo")));
    let rm = RmRequest {
        path: b"b",
        ..RmRequest::default()
    };
    session.rm("store", rm.clone()).unwrap();
    session.rm("store", rm).unwrap();
    let missing = SandboxError::new(codes::WORKSPACE_READ_NOT_FOUND).with("path", "b");
    assert_eq!(
        session.read("store", read(b"b")),
        Err(Failure::Sandbox(missing))
    );
}

#[test]
fn content_is_read_and_made_in_pieces() {
    let mut session = TestSession::new(guest());
    let data = "x".repeat(70_000);
    let request = WriteRequest {
        data: Stream {
            position: 3,
            ..Stream::text(data.as_str())
        },
        ..WriteRequest::default()
    };
    session.write("checksum", request.clone()).unwrap();
    let fnv = data.bytes().fold(0x811c_9dc5_u32, |h, b| {
        (h ^ u32::from(b)).wrapping_mul(0x0100_0193)
    });
    assert_eq!(
        last_line(&session),
        format!("size=70000 position=3 text=1 fnv={fnv}")
    );
    session.write("blob_len", request).unwrap();
    assert_eq!(last_line(&session), "70000");

    let lines = ReadRequest {
        path: b"20000",
        ..ReadRequest::default()
    };
    let text = session.read("generate", lines).unwrap().to_vec().unwrap();
    let want: String = (0..20_000).map(|i| format!("{i}\n")).collect();
    assert!(text == want.as_bytes());

    let big = session.exec("big", exec(&["70000", "27", "-2"])).unwrap();
    assert_eq!((big.stdout.len(), big.exit_code), (70_000, -2));
    assert_eq!(big.stderr, "abcdefghijklmnopqrstuvwxyza".into());
}

#[test]
fn matchers_say_what_differs() {
    let mut session = TestSession::new(guest());
    assert_eq!(
        session.matches("only_git", exec(&["git"])),
        Ok(Verdict::accept())
    );
    let other = Verdict::reject("not git");
    assert_eq!(
        session.matches("only_git", exec(&["ls"])),
        Ok(other.clone().differ("args[0]", "git", "ls"))
    );
    assert_eq!(
        session.matches("only_git", exec(&[])),
        Ok(other.differ("args[0]", "git", ""))
    );
    let inline = Verdict::reject("inline").differ("data", "", "0");
    assert_eq!(
        session.matches("digest", WriteRequest::default()),
        Ok(inline)
    );
}

#[test]
fn panics_and_failures_are_told_apart() {
    let mut session = TestSession::new(guest());
    match session.matches("broken", exec(&[])) {
        Err(Failure::Guest(e)) => {
            assert_eq!(
                (e.kind, &*e.message),
                (GuestErrorKind::HandlerFailed, "it's broken")
            );
        }
        other => panic!("{other:?}"),
    }
    match session.exec("panic", exec(&[])) {
        Err(Failure::Panic {
            message,
            file,
            line,
        }) => {
            assert_eq!(message, "deliberate panic");
            assert!(file.ends_with("responders.rs") && line > 0, "{file}:{line}");
        }
        other => panic!("{other:?}"),
    }
}
