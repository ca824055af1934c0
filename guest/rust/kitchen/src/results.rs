//! The results of each method: empty, full, and that of `render`.

use wasmsandbox::abi::OutcomeKind;
use wasmsandbox::{
    log, Call, ExecResult, FileEntry, FileKind, Guest, Method, Outcome, PtyUpdate, Request, Result,
    Stream,
};

use crate::render;

pub fn register(guest: Guest) -> Guest {
    guest
        .respond("render", &[], |call| {
            let text = render::call(call);
            log::info(&text);
            Ok(match call.method() {
                Method::Exec => ExecResult::stdout(text).into(),
                method => empty(method),
            })
        })
        .respond("results", &[], full)
        .respond("empty", &[], |call| Ok(empty(call.method())))
}

fn empty(method: Method) -> Outcome {
    match OutcomeKind::of(method) {
        OutcomeKind::Exec => Outcome::Exec(ExecResult::default()),
        OutcomeKind::Stream => Outcome::Stream(Stream::default()),
        OutcomeKind::Listing => Outcome::Listing(Vec::new()),
        OutcomeKind::Text => Outcome::Text("".into()),
        OutcomeKind::Pty => Outcome::Pty(PtyUpdate::default()),
        OutcomeKind::Void | OutcomeKind::Error => Outcome::Void,
    }
}

fn full(call: &Call) -> Result<Outcome> {
    Ok(match call.request() {
        Request::ApplyPatch(req) => {
            Outcome::Text(format!("patched {}", req.operations.len()).into())
        }
        Request::Exec(_) => Outcome::Exec(ExecResult {
            stdout: "out\n".into(),
            stderr: "err\n".into(),
            exit_code: 3,
        }),
        Request::Ls(_) => Outcome::Listing(vec![
            file("src", 0o40755, "root", "staff", 4096, FileKind::Directory),
            file("a.txt", 0o644, "root", "staff", 5, FileKind::File),
            file("link", 0o777, "", "", 0, FileKind::Symlink),
            file("fifo", 0o600, "u", "g", 0, FileKind::Other),
        ]),
        Request::PtyExecStart(_) => Outcome::Pty(PtyUpdate {
            original_token_count: Some(u64::MAX),
            ..PtyUpdate::running(7, "$ ")
        }),
        Request::PtyWriteStdin(_) => Outcome::Pty(PtyUpdate::exited(-1, "bye")),
        Request::Read(_) => Outcome::Stream(Stream {
            position: 2,
            ..Stream::text("hello")
        }),
        Request::Mkdir(_) | Request::Rm(_) | Request::Write(_) => Outcome::Void,
    })
}

fn file(
    path: &str,
    permissions: u32,
    owner: &str,
    group: &str,
    size: u64,
    kind: FileKind,
) -> FileEntry {
    FileEntry {
        path: path.into(),
        permissions,
        owner: owner.into(),
        group: group.into(),
        size,
        kind,
    }
}
