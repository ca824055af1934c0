//! Content inline and in blobs, and what reads and writes it.

use std::io::{Read, Seek, SeekFrom, Write};

use wasmsandbox::abi::{GuestError, GuestErrorKind};
use wasmsandbox::log;
use wasmsandbox::testing::{Failure, TestSession};
use wasmsandbox::*;

fn exec(parts: &[&'static str]) -> ExecRequest<'static> {
    ExecRequest::new(parts.iter().copied())
}

fn guest() -> Guest {
    Guest::new("test", "1.2.3")
}

fn failed(message: &'static str) -> Failure {
    Failure::Guest(GuestError {
        kind: GuestErrorKind::HandlerFailed,
        message: message.into(),
    })
}

fn small_limits() -> Limits {
    Limits {
        inline_bytes: 8,
        blob_bytes: 100,
        ..Limits::default()
    }
}

#[test]
fn large_content_travels_as_blobs() {
    let mut session = TestSession::open(
        guest()
            .exec("big", |_, req| {
                let n = req.part(0).unwrap_or_default().parse()?;
                Ok(ExecResult::stdout("x".repeat(n)))
            })
            .read("pieces", |call, _| {
                let mut w = call.writer();
                w.write("0123")?;
                write!(w, "{}56789abc", 4)?;
                Write::write_all(&mut w, b"de")?;
                w.write("f")?;
                Ok(Stream::bytes(w.finish()?))
            })
            .write("sum", |_, req| {
                let mut reader = req.data.reader();
                let mut text = String::new();
                reader.read_to_string(&mut text)?;
                reader.seek(SeekFrom::End(-1))?;
                reader.read_to_string(&mut text)?;
                log::info(text);
                Ok(())
            })
            .matcher("digest", &[Method::Write], |call| match call.request() {
                Request::Write(req) => {
                    let digest = req.data.content.sha256().map_or(0, |d| d[0]);
                    Ok(Verdict::reject(format!("{digest:02x}")))
                }
                _ => Ok(Verdict::undecided()),
            }),
        Map::new(),
        small_limits(),
    )
    .unwrap();
    for n in ["0", "8", "9", "100"] {
        let result = session.exec("big", exec(&[n])).unwrap();
        assert_eq!(result.stdout.len(), n.parse().unwrap());
    }
    let limit = failed("blob_write: a limit of the host is reached");
    assert_eq!(session.exec("big", exec(&["101"])), Err(limit));
    let stream = session.read("pieces", ReadRequest::default()).unwrap();
    assert_eq!(stream, Stream::bytes("0123456789abcdef"));

    let write = |data: &'static str, position| WriteRequest {
        data: Stream {
            position,
            ..Stream::bytes(data)
        },
        ..WriteRequest::default()
    };
    session.write("sum", write("0123456789", 5)).unwrap();
    session.write("sum", write("abc", 1)).unwrap();
    let lines: Vec<_> = session.log().into_iter().map(|line| line.text).collect();
    assert_eq!(lines, ["567899", "bcc"]);
    // SHA-256 of 0123456789 begins with 84; what is inline has none.
    assert_eq!(
        session
            .matches("digest", write("0123456789", 0))
            .unwrap()
            .reason,
        "84"
    );
    assert_eq!(
        session.matches("digest", write("abc", 0)).unwrap().reason,
        "00"
    );
}

#[test]
fn content_of_an_earlier_call_is_refused() {
    let mut kept = None;
    let mut session = TestSession::open(
        guest().exec("keep", move |call, _| {
            if kept.is_none() {
                let mut w = call.writer();
                w.write("longer than the limit")?;
                kept = Some(w.finish()?);
            }
            Ok(ExecResult::stdout(kept.clone().unwrap_or_default()))
        }),
        Map::new(),
        small_limits(),
    )
    .unwrap();
    assert!(session.exec("keep", exec(&[])).is_ok());
    let expired = failed("the content belongs to a call that has ended");
    assert_eq!(session.exec("keep", exec(&[])), Err(expired));
}

#[test]
fn readers_end_where_the_content_does() {
    let content = Content::from("0123456789");
    let mut buffer = [0; 4];
    assert_eq!(content.read_at(8, &mut buffer), Ok(2));
    assert_eq!(&buffer[..2], b"89");
    assert_eq!(content.read_at(10, &mut buffer), Ok(0));
    assert_eq!(content.read_at(u64::MAX, &mut buffer), Ok(0));

    let mut reader = content.reader();
    assert_eq!(reader.seek(SeekFrom::End(-3)).unwrap(), 7);
    assert_eq!(reader.seek(SeekFrom::Current(-1)).unwrap(), 6);
    assert!(reader.seek(SeekFrom::Current(-7)).is_err());
    assert!(reader.seek(SeekFrom::End(i64::MIN)).is_err());
    assert_eq!(reader.position(), 6);
    reader.set_position(11);
    assert_eq!(ContentReader::read(&mut reader, &mut buffer), Ok(0));

    let past_the_end = Stream {
        position: 11,
        ..Stream::bytes("0123456789")
    };
    assert_eq!(past_the_end.to_vec().unwrap(), b"");
}

#[test]
fn without_a_session_there_is_no_host() {
    log::info("dropped");
    let refused = |function| HostError {
        function,
        status: -6,
    };
    assert_eq!(host::blob_new(), Err(refused("blob_new")));
    assert_eq!(host::blob_len(1), Err(refused("blob_len")));
    assert_eq!(host::extension(7, b"x"), -6);
    assert_eq!(
        refused("blob_new").to_string(),
        "blob_new: not supported by the host"
    );
}
