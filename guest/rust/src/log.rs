//! Lines in the record of the current call. The host drops what exceeds its limit,
//! and replaces what isn't UTF-8.

use crate::host;

/// The importance of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Level {
    Debug = 0,
    Info = 1,
    Warn = 2,
    Error = 3,
}

impl Level {
    /// All levels, in ascending order.
    pub const ALL: [Level; 4] = [Level::Debug, Level::Info, Level::Warn, Level::Error];
}

/// Logs text at a level.
pub fn log(level: Level, text: impl AsRef<[u8]>) {
    // A full log is no reason for a handler to fail.
    let _ = host::log(level as u32, text.as_ref());
}

/// Logs at [`Level::Debug`].
pub fn debug(text: impl AsRef<[u8]>) {
    log(Level::Debug, text);
}

/// Logs at [`Level::Info`].
pub fn info(text: impl AsRef<[u8]>) {
    log(Level::Info, text);
}

/// Logs at [`Level::Warn`].
pub fn warn(text: impl AsRef<[u8]>) {
    log(Level::Warn, text);
}

/// Logs at [`Level::Error`]. It fails nothing: return an error for that.
pub fn error(text: impl AsRef<[u8]>) {
    log(Level::Error, text);
}
