//! The messages that every implementation has to agree on.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use wasmsandbox::abi::{Call, DecodeError, Open, Panic, Reply};

struct Vector {
    file: PathBuf,
    header: HashMap<String, String>,
    body: Vec<u8>,
}

/// The vectors in a folder, of which there have to be some.
fn vectors(folder: &str) -> Vec<Vector> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata/abi/v1")
        .join(folder);
    let mut found = Vec::new();
    for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let file = entry.unwrap().path();
        let text = fs::read_to_string(&file).unwrap();
        let mut header = HashMap::new();
        let mut body = String::new();
        for line in text.lines() {
            match line.strip_prefix("# ") {
                Some(line) => {
                    let (key, value) = line.split_once(':').expect("a header line");
                    header.insert(key.to_string(), value.trim().to_string());
                }
                None => body.push_str(line),
            }
        }
        found.push(Vector {
            body: unhex(&body),
            file,
            header,
        });
    }
    assert!(!found.is_empty(), "no vectors in {}", folder.display());
    found
}

fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text
        .bytes()
        .filter(|b| !b.is_ascii_whitespace())
        .map(|b| char::from(b).to_digit(16).expect("a digit") as u8)
        .collect();
    assert!(digits.len() % 2 == 0, "half a byte: {text}");
    digits
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect()
}

/// The message decoded and encoded again.
fn recode(message: &str, data: &[u8]) -> Result<Vec<u8>, DecodeError> {
    match message {
        "Call" => Call::decode(data).map(|m| m.encode()),
        "Open" => Open::decode(data).map(|m| m.encode()),
        "Panic" => Panic::decode(data).map(|m| m.encode()),
        "Reply" => Reply::decode(data).map(|m| m.encode()),
        _ => panic!("no message is called {message}"),
    }
}

#[test]
fn valid_messages_are_decoded_and_encoded() {
    for v in vectors("valid") {
        let want = v
            .header
            .get("canonical")
            .map_or(v.body.clone(), |hex| unhex(hex));
        match recode(&v.header["message"], &v.body) {
            Ok(got) => assert_eq!(got, want, "{}", v.file.display()),
            Err(e) => panic!("{}: {e}", v.file.display()),
        }
    }
}

#[test]
fn malformed_messages_are_refused_for_their_reason() {
    for v in vectors("malformed") {
        let e = match recode(&v.header["message"], &v.body) {
            Ok(_) => panic!("{}: accepted", v.file.display()),
            Err(e) => e,
        };
        assert_eq!(
            e.reason.name(),
            v.header["reason"],
            "{}: {e}",
            v.file.display()
        );
        let field = if e.field.is_empty() {
            e.message.to_string()
        } else {
            format!("{}.{}", e.message, e.field)
        };
        assert_eq!(field, v.header["field"], "{}: {e}", v.file.display());
        assert!(e.offset <= v.body.len());
    }
}

#[test]
fn damaged_messages_are_refused_or_understood() {
    let check = |message: &str, data: &[u8]| {
        if let Ok(encoded) = recode(message, data) {
            assert_eq!(
                recode(message, &encoded).as_ref(),
                Ok(&encoded),
                "{message} {data:?}"
            );
        }
    };
    for v in vectors("valid").iter().chain(&vectors("malformed")) {
        let message = &v.header["message"];
        let mut data = v.body.clone();
        for i in 0..data.len() {
            check(message, &data[..i]);
            for flipped in [0x01, 0x08, 0x80, 0xff] {
                data[i] ^= flipped;
                check(message, &data);
                data[i] ^= flipped;
            }
        }
    }
}

#[test]
fn messages_with_too_many_parts_are_refused() {
    // A listing with as many entries, in an outcome and a reply.
    let reply = |entries: usize| {
        let mut data = Vec::new();
        for _ in 0..entries {
            data.extend([0x0a, 0]);
        }
        for tag in [0x22, 0x1a] {
            let mut outer = vec![tag];
            let mut n = data.len();
            while n >= 0x80 {
                outer.push(n as u8 | 0x80);
                n >>= 7;
            }
            outer.push(n as u8);
            outer.extend(data);
            data = outer;
        }
        Reply::decode(&data)
            .map(|_| ())
            .map_err(|e| e.reason.name())
    };
    assert_eq!(reply((1 << 18) - 2), Ok(()));
    assert_eq!(reply((1 << 18) - 1), Err("too_many"));
}
