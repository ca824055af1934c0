//! A program that uses the files in its working folder in the ways that the standard
//! library has, and prints what comes of it. It prints the same on POSIX.

use std::fs::{self, File, OpenOptions};
use std::io::{self, prelude::*, SeekFrom};
use std::path::Path;

fn attempt<T>(what: &str, result: io::Result<T>) -> Option<T> {
    match result {
        Ok(value) => {
            println!("{what} ok");
            Some(value)
        }
        Err(error) => {
            println!("{what} failed: {}", reason(&error));
            None
        }
    }
}

/// The same on every system, other than the number of an error.
fn reason(error: &io::Error) -> String {
    let text = error.to_string().to_lowercase();
    text.split(" (os error").next().unwrap().to_string()
}

fn show(path: impl AsRef<Path>) {
    let path = path.as_ref();
    match fs::read(path) {
        Ok(content) => println!("{} is {:?}", path.display(), String::from_utf8_lossy(&content)),
        Err(error) => println!("{} failed: {}", path.display(), reason(&error)),
    }
}

fn list(path: &str) {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) => return println!("list {path} failed: {}", reason(&error)),
    };
    let mut names: Vec<_> = entries
        .map(|e| {
            let e = e.unwrap();
            let kind = e.file_type().unwrap();
            let mark = if kind.is_dir() { "/" } else if kind.is_symlink() { "@" } else { "" };
            e.file_name().into_string().unwrap() + mark
        })
        .collect();
    names.sort();
    println!("list {path}: {}", names.join(" "));
}

fn main() -> io::Result<()> {
    attempt("open", File::open("missing"));
    attempt("create", File::create("a"));
    attempt("create new", OpenOptions::new().write(true).create_new(true).open("a"));
    attempt("create", File::create("missing/a"));
    attempt("create", File::create("a/b"));
    attempt("folder", fs::create_dir("folder"));
    attempt("folder", fs::create_dir("folder"));
    attempt("folders", fs::create_dir_all("folder/x/y"));
    attempt("write a folder", OpenOptions::new().write(true).open("folder"));

    let mut f = OpenOptions::new().read(true).write(true).create(true).open("content")?;
    f.write_all(b"hello world")?;
    println!("{}", f.seek(SeekFrom::Start(6))?);
    let mut text = String::new();
    println!("{}", f.read_to_string(&mut text)?);
    println!("{text} {}", f.stream_position()?);
    println!("{}", f.seek(SeekFrom::End(3))?);
    f.write_all(b"!")?;
    f.set_len(20)?;
    f.sync_all()?;
    f.sync_data()?;
    show("content");
    f.set_len(5)?;
    println!("{:?} {}", f.metadata()?.len(), f.metadata()?.is_file());
    drop(f);
    show("content");
    attempt("write", File::open("content")?.write(b"x"));
    attempt("read", OpenOptions::new().write(true).open("content")?.read(&mut [0]));

    let mut log = OpenOptions::new().append(true).create(true).open("log")?;
    log.write_all(b"one\n")?;
    OpenOptions::new().append(true).open("log")?.write_all(b"two\n")?;
    log.write_all(b"three\n")?;
    show("log");

    for i in 0..300 {
        fs::write(format!("folder/x/a file with a long name, number {i}"), b"")?;
    }
    println!("{}", fs::read_dir("folder/x")?.count());
    attempt("remove", fs::remove_dir("folder"));
    attempt("remove all", fs::remove_dir_all("folder/x"));
    attempt("remove", fs::remove_dir("missing"));
    attempt("remove", fs::remove_file("missing"));
    list("folder");
    list("missing");

    attempt("rename", fs::rename("a", "b"));
    attempt("rename", fs::rename("missing", "b"));
    attempt("rename", fs::rename("folder", "b"));
    attempt("link", fs::hard_link("b", "c"));
    attempt("link", fs::hard_link("b", "c"));
    println!("{}", fs::copy("content", "copy")?);
    show("copy");
    show("../content");
    fs::write("../above", b"above")?;
    show("../above");
    list(".");
    println!("{}", fs::symlink_metadata("folder")?.is_dir());
    println!("{}", Path::new("copy").exists());
    println!("{}", Path::new("missing").exists());
    println!("{:?}", fs::canonicalize("missing").is_err());
    Ok(())
}
