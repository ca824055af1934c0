//! The messages that host and guest exchange, and their encoding.
//!
//! Handlers need little of this: what they use is re-exported by the crate. The
//! rest is for test kits and tools.
//!
//! Messages are in protobuf's wire format. Writers are strict, so that equal
//! messages have equal bytes; readers take every valid encoding, and refuse what is
//! malformed with a [`Reason`]. What a reader returns borrows from the bytes where
//! a call is read often, and owns its parts elsewhere.

/// Reads a member of a oneof that is a message: onto the one that is there, if it is
/// the same member, or else onto a new one.
macro_rules! merge_member {
    ($r:expr, $slot:expr, $oneof:ident::$member:ident) => {{
        if !matches!($slot, Some($oneof::$member(_))) {
            $slot = Some($oneof::$member(Default::default()));
        }
        if let Some($oneof::$member(message)) = &mut $slot {
            $r.merge(message);
        }
    }};
}

mod call;
mod content;
mod decode_error;
mod description;
mod encoder;
mod exec;
mod files;
mod method;
mod open;
mod outcome;
mod panic;
mod patch;
mod pty;
mod reader;
pub(crate) mod reply;
mod sandbox_error;
mod value;
mod verdict;

pub use call::{Call, Request};
pub use content::{Blob, Content, Stream};
pub use decode_error::{DecodeError, Reason};
pub(crate) use description::{describe_handler, DescriptionTexts};
pub use description::{Description, HandlerDescription, HandlerKind};
pub use encoder::Encoder;
pub use exec::{ExecRequest, ExecResult, Shell, ShellMode};
pub use files::{
    FileEntry, FileKind, LsRequest, MkdirRequest, ReadRequest, RmRequest, WriteRequest,
    DIRECTORY_BIT,
};
pub use method::Method;
pub use open::{Limits, Open};
pub use outcome::{Outcome, OutcomeKind};
pub use panic::Panic;
pub use patch::{ApplyPatchRequest, PatchOperation};
pub use pty::{PtyExecStartRequest, PtyUpdate, PtyWriteStdinRequest};
pub use reply::{GuestError, GuestErrorKind, Reply};
pub use sandbox_error::{Retryable, SandboxError};
pub use value::{Map, Value};
pub use verdict::{Answer, Difference, Verdict};

/// The minor version of the ABI that guests of this crate need.
pub const VERSION_MINOR: i32 = 0;

/// How deeply values may nest: a value that holds no others has depth 1.
pub const MAX_DEPTH: usize = 64;

/// How many embedded messages one message may have, at all levels together.
pub const MAX_MESSAGES: usize = 1 << 18;
