use wasmsandbox::{Call, Guest, Method, Request, Result, Verdict};

use crate::render::hex;
use crate::responders::{broken, deliberate_panic};

pub fn register(guest: Guest) -> Guest {
    guest
        .matcher("accept", &[], |_| Ok(Verdict::accept()))
        .matcher("undecided", &[], |_| Ok(Verdict::undecided()))
        .matcher("only_git", &[Method::Exec], only_git)
        .matcher("differ", &[], |_| {
            Ok(Verdict::reject("two differences")
                .differ("a", "1", "2")
                .differ("b", "", ""))
        })
        .matcher("digest", &[Method::Write], digest)
        .matcher("broken", &[Method::Exec], |_| broken())
        .matcher("panic", &[Method::Exec], |_| deliberate_panic())
}

fn only_git(call: &Call) -> Result<Verdict> {
    let program = match call.request() {
        Request::Exec(req) => req.part(0).unwrap_or_default(),
        _ => return Ok(Verdict::undecided()), // other methods don't reach it
    };
    if program == "git" {
        return Ok(Verdict::accept());
    }
    Ok(Verdict::reject("not git").differ("args[0]", "git", program))
}

fn digest(call: &Call) -> Result<Verdict> {
    let content = match call.request() {
        Request::Write(req) => &req.data.content,
        _ => return Ok(Verdict::undecided()), // other methods don't reach it
    };
    let reason = content.sha256().map_or("inline".into(), |d| hex(d));
    Ok(Verdict::reject(reason).differ("data", "", content.len().to_string()))
}
