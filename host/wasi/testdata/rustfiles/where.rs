//! A program that says what it sees from its working folder, which is "sub" in the
//! root "/work".

use std::{env, fs};

fn show(path: &str) {
    match fs::read_to_string(path) {
        Ok(text) => println!("{path}: {text}"),
        Err(error) => println!("{path}: error {}", error.raw_os_error().unwrap_or(-1)),
    }
}

fn main() {
    for path in [
        "here", "./here", "../up", "../sub/../up", "/work/up", "/work/sub/here", "/granted/g",
        "../../secret", "../../granted/g", "/work/../secret", "absolute link", "relative link",
        "escaping link",
    ] {
        show(path);
    }
    for folder in ["inner", "..", "..", "/work/sub", "/granted"] {
        println!("chdir {folder}: {:?}", env::set_current_dir(folder).map_err(|e| e.raw_os_error()));
        for path in ["here", "up", "g", "/work/up"] {
            show(path);
        }
    }
}
