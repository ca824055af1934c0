use wasmsandbox::abi::Retryable;
use wasmsandbox::log::{self, Level};
use wasmsandbox::{
    host, Call, Error, ExecRequest, ExecResult, Guest, Map, PtyExecStartRequest, PtyUpdate,
    PtyWriteStdinRequest, ReadRequest, Result, SandboxError, Stream, Value, WriteRequest,
};

use crate::render;

pub fn register(guest: Guest) -> Guest {
    let mut calls = 0;
    guest
        .exec("raise", raise)
        .exec("count", move |_, _| {
            calls += 1;
            log::debug(format!("call {calls}"));
            Ok(ExecResult::exit(calls, ""))
        })
        .write("checksum", checksum)
        .read("generate", generate)
        .exec("big", big)
        .exec("log", |_, req| {
            for (part, level) in req.command.iter().zip(Level::ALL.iter().cycle()) {
                log::log(*level, part);
            }
            Ok(ExecResult::default())
        })
        .exec("config", |call, _| {
            Ok(ExecResult::stdout(render::config(&call.config())))
        })
        .exec("setting", |call, req| {
            let key = req.part(0).unwrap_or_default();
            Ok(ExecResult::stdout(
                call.config().text(&key, "main")?.to_string(),
            ))
        })
        .exec("session", session)
        .pty_exec_start("shell", shell_start)
        .pty_write_stdin("shell", shell_write)
        .exec("extension", |_, _| {
            Ok(ExecResult::stdout(host::extension(7, b"x").to_string()))
        })
        .write("blob_len", blob_len)
        .exec("broken", |_, _| broken())
        .exec("panic", |_, _| deliberate_panic())
}

pub fn broken<T>() -> Result<T> {
    Err(Error::failure("it's broken"))
}

pub fn deliberate_panic<T>() -> Result<T> {
    panic!("deliberate panic")
}

/// A part of the command as text, which has to be there.
fn part(req: &ExecRequest, i: usize) -> Result<String> {
    let part = req
        .part(i)
        .ok_or_else(|| format!("the command has no part {i}"))?;
    Ok(part.into_owned())
}

fn raise(_: &Call, req: &ExecRequest) -> Result<ExecResult> {
    let mut error = SandboxError::new(part(req, 0)?);
    error.op = part(req, 1)?.into();
    error.message = part(req, 2)?.into();
    error.retryable = match part(req, 3)?.as_str() {
        "no" => Retryable::No,
        "yes" => Retryable::Yes,
        _ => Retryable::Unknown,
    };
    if part(req, 4)? == "full" {
        error.context = full_context();
    }
    Err(error.into())
}

fn full_context() -> Map {
    Map::from([
        ("bool", true.into()),
        ("bytes", vec![0x00u8, 0xff].into()),
        ("int", Value::Int(-5)),
        (
            "list",
            vec![Value::Null, false.into(), Value::Int(7), "x".into()].into(),
        ),
        ("map", Map::from([("a", Map::from([("b", "c")]))]).into()),
        ("max", i64::MAX.into()),
        ("min", i64::MIN.into()),
        ("null", Value::Null),
        ("text", "é".into()),
    ])
}

fn checksum(_: &Call, req: &WriteRequest) -> Result<()> {
    let mut reader = req.data.content.reader();
    let mut buffer = [0; 4096];
    let mut fnv: u32 = 0x811c_9dc5;
    loop {
        let n = reader.read(&mut buffer)?;
        if n == 0 {
            break;
        }
        for byte in &buffer[..n] {
            fnv = (fnv ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
        }
    }
    log::info(format!(
        "size={} position={} text={} fnv={fnv}",
        req.data.content.len(),
        req.data.position,
        u8::from(req.data.text),
    ));
    Ok(())
}

fn generate(call: &Call, req: &ReadRequest) -> Result<Stream<'static>> {
    let lines: usize = std::str::from_utf8(req.path)?.parse()?;
    let mut w = call.writer();
    for i in 0..lines {
        writeln!(w, "{i}")?;
    }
    Ok(Stream::bytes(w.finish()?))
}

fn big(_: &Call, req: &ExecRequest) -> Result<ExecResult> {
    let output = |n: usize| {
        let mut bytes = vec![b'a'; n];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte += (i % 26) as u8;
        }
        bytes
    };
    Ok(ExecResult {
        stdout: output(part(req, 0)?.parse()?).into(),
        stderr: output(part(req, 1)?.parse()?).into(),
        exit_code: part(req, 2)?.parse()?,
    })
}

fn session(call: &Call, _: &ExecRequest) -> Result<ExecResult> {
    let limits = call.limits();
    Ok(ExecResult::stdout(format!(
        "seed={}\nstart_time_ns={}\ninline_bytes={}\nreply_bytes={}\nlog_bytes={}\nblob_bytes={}\nindex={}\ntime_ns={}\n",
        call.seed(),
        call.start_time_ns(),
        limits.inline_bytes,
        limits.reply_bytes,
        limits.log_bytes,
        limits.blob_bytes,
        call.index(),
        call.time_ns(),
    )))
}

fn shell_start(_: &Call, req: &PtyExecStartRequest) -> Result<PtyUpdate> {
    let mut update = PtyUpdate::running(7, "$ ");
    if req.max_output_tokens != 0 {
        update.original_token_count = Some(12);
    }
    Ok(update)
}

fn shell_write(_: &Call, req: &PtyWriteStdinRequest) -> Result<PtyUpdate> {
    Ok(match req.chars {
        b"exit\n" => PtyUpdate::exited(0, "bye\n"),
        chars => PtyUpdate::running(req.session_id, chars.to_vec()),
    })
}

fn blob_len(_: &Call, req: &WriteRequest) -> Result<()> {
    match req.data.content.blob() {
        Some(blob) => log::info(host::blob_len(blob.handle)?.to_string()),
        None => log::info("inline"),
    }
    Ok(())
}
