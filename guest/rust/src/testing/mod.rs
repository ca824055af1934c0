//! Calls the handlers of a guest in `cargo test`, as a host would: through the
//! guest's dispatch, with encoded messages, blobs and logs. No WebAssembly is
//! involved, and handlers can be debugged as usual.
//!
//! ```
//! use wasmsandbox::testing::TestSession;
//! use wasmsandbox::{ExecRequest, ExecResult, Guest};
//!
//! fn guest() -> Guest {
//!     Guest::new("git", "1.0.0").exec("status", |call, _| {
//!         Ok(ExecResult::stdout(call.config().text("branch", "main")?.to_string()))
//!     })
//! }
//!
//! let mut session = TestSession::with_config(guest(), [("branch", "trunk")]);
//! let result = session.exec("status", ExecRequest::new(["git", "status"])).unwrap();
//! assert_eq!(result.stdout, "trunk".into());
//! ```
//!
//! Each session has a guest of its own, so tests can run at the same time.

mod host;
mod methods;
mod session;
mod sha256;

pub use host::LogLine;
pub use session::{Failure, TestSession};
