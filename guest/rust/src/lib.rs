//! Responders and matchers for scripted sandbox sessions, as WebAssembly guests.
//!
//! A guest is a `cdylib` crate that exports one function, which registers handlers:
//!
//! ```
//! use wasmsandbox::{ExecResult, Guest};
//!
//! wasmsandbox::export!(guest);
//!
//! fn guest() -> Guest {
//!     Guest::new("git", "1.0.0").exec("status", |call, _req| {
//!         let branch = call.config().text("branch", "main")?;
//!         Ok(ExecResult::stdout(format!("on branch {branch}\n")))
//!     })
//! }
//! # fn main() {}
//! ```
//!
//! [`Guest`] registers handlers, [`Error`] is how they fail, [`Content`] and
//! [`Writer`] are for what is large, and [`testing`] calls handlers in `cargo test`.
//!
//! A session has one instance of a guest and calls it once at a time: closures and
//! [responders](Responder) own their state, without locks.

#![cfg_attr(not(feature = "std"), no_std)]
// Only the exports and the test kit call the dispatch.
#![cfg_attr(not(any(feature = "std", target_arch = "wasm32")), allow(dead_code))]
#![deny(unsafe_code)]
#![warn(missing_docs)]

extern crate alloc;

pub mod abi;
mod call;
pub mod codes;
mod content_reader;
mod error;
mod export_macro;
#[cfg(target_arch = "wasm32")]
#[doc(hidden)]
pub mod exports;
mod guest;
mod handler;
pub mod host;
pub mod log;
mod module;
mod outcome_check;
mod panic_report;
mod responder;
mod settings;
#[cfg(all(feature = "std", not(target_arch = "wasm32")))]
pub mod testing;
mod writer;

pub use abi::{
    Answer, ApplyPatchRequest, Content, Difference, ExecRequest, ExecResult, FileEntry, FileKind,
    Limits, LsRequest, Map, Method, MkdirRequest, Outcome, PatchOperation, PtyExecStartRequest,
    PtyUpdate, PtyWriteStdinRequest, ReadRequest, Request, RmRequest, SandboxError, Shell,
    ShellMode, Stream, Value, Verdict, WriteRequest, DIRECTORY_BIT,
};
pub use call::Call;
pub use content_reader::ContentReader;
pub use error::{Error, Result};
pub use guest::{Guest, Session};
pub use host::HostError;
#[cfg(not(feature = "std"))]
pub use panic_report::report_panic;
pub use responder::Responder;
pub use settings::{SettingError, Settings};
pub use writer::Writer;

/// The version of this crate, which hosts show.
pub const SDK_VERSION: &str = env!("CARGO_PKG_VERSION");
