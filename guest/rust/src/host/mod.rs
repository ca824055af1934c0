//! The functions that the host offers. [`Content`](crate::Content),
//! [`Writer`](crate::Writer) and [`log`](crate::log) are easier to use.

use core::fmt;

#[cfg(target_arch = "wasm32")]
#[path = "imports_wasm32.rs"]
mod imports;
#[cfg(not(target_arch = "wasm32"))]
#[path = "imports_native.rs"]
mod imports;

#[cfg(all(feature = "std", not(target_arch = "wasm32")))]
pub(crate) use imports::{is_present, with_host, Host};

/// A refusal of the host, such as of a blob over its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostError {
    /// The function that refused.
    pub function: &'static str,
    /// Its answer, which is negative.
    pub status: i64,
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self.status {
            -1 => "bad pointer",
            -2 => "no such blob",
            -3 => "bad argument",
            -4 => "a limit of the host is reached",
            -5 => "bad message",
            -6 => "not supported by the host",
            status => return write!(f, "{}: status {}", self.function, status),
        };
        write!(f, "{}: {}", self.function, reason)
    }
}

#[cfg(feature = "std")]
impl std::error::Error for HostError {}

#[cfg(feature = "std")]
impl From<HostError> for std::io::Error {
    fn from(e: HostError) -> Self {
        std::io::Error::new(std::io::ErrorKind::Other, e)
    }
}

fn answer(function: &'static str, status: i64) -> Result<u64, HostError> {
    u64::try_from(status).map_err(|_| HostError { function, status })
}

/// Adds text to the record of the call. What isn't UTF-8 in it is replaced by the
/// host. It fails when the host's limit is reached; the rest is dropped then.
pub fn log(level: u32, text: &[u8]) -> Result<(), HostError> {
    answer("log", imports::log(level, text).into()).map(|_| ())
}

/// Reports an encoded [`Panic`](crate::abi::Panic). The guest is dead from then on,
/// whatever it does.
pub fn fail(report: &[u8]) -> Result<(), HostError> {
    answer("fail", imports::fail(report).into()).map(|_| ())
}

/// The length of a blob in bytes.
pub fn blob_len(handle: u32) -> Result<u64, HostError> {
    answer("blob_len", imports::blob_len(handle))
}

/// Copies bytes of a blob from an offset on, and returns how many. They are fewer
/// than the buffer has at the end of the blob, and 0 at or past it.
pub fn blob_read(handle: u32, offset: u64, buffer: &mut [u8]) -> Result<usize, HostError> {
    let n = answer(
        "blob_read",
        imports::blob_read(handle, offset, buffer).into(),
    )?;
    Ok((n as usize).min(buffer.len()))
}

/// Makes an empty blob, which lives until the call ends, and returns its handle.
pub fn blob_new() -> Result<u32, HostError> {
    answer("blob_new", imports::blob_new().into()).map(|handle| handle as u32)
}

/// Appends bytes to a blob of this call that the guest made: all or, when it fails,
/// none.
pub fn blob_write(handle: u32, bytes: &[u8]) -> Result<(), HostError> {
    answer("blob_write", imports::blob_write(handle, bytes).into()).map(|_| ())
}

/// Calls an extension, and returns its answer; a negative one is a status. -6: the
/// host doesn't know it. Version 1.0 of the ABI has no extension.
pub fn extension(op: u32, argument: &[u8]) -> i64 {
    imports::extension(op, argument)
}
