use super::sha256::sha256;
use crate::abi::{Blob, Content, Limits, Outcome, Panic};
use crate::host::Host;
use crate::log::Level;

const BAD_HANDLE: i32 = -2;
const BAD_ARGUMENT: i32 = -3;
const LIMIT: i32 = -4;
const BAD_MESSAGE: i32 = -5;
const UNSUPPORTED: i64 = -6;

const MAX_REPORT: usize = 1 << 20;

/// A line that the guest has logged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Its importance.
    pub level: Level,
    /// What isn't UTF-8 in it is replaced by U+FFFD.
    pub text: String,
}

/// The host of a test session. The handle of a blob is its index plus 1.
#[derive(Debug, Default)]
pub(super) struct TestHost {
    pub limits: Limits,
    pub log: Vec<LogLine>,
    pub panic: Option<Panic<'static>>,
    blobs: Vec<HostBlob>,
    logged: u64,  // bytes of the call's log
    written: u64, // bytes of the blobs that the guest made in the call
}

#[derive(Debug)]
struct HostBlob {
    data: Vec<u8>,
    writable: bool,
}

impl TestHost {
    /// A host with limits, none of which is 0.
    pub fn new(limits: Limits) -> Self {
        TestHost {
            limits,
            ..Self::default()
        }
    }

    /// Begins a call: its limits count anew, and blobs of earlier calls are gone.
    pub fn begin(&mut self) {
        self.blobs.clear();
        self.logged = 0;
        self.written = 0;
    }

    /// Makes content a blob if it is over the inline limit.
    pub fn content(&mut self, content: &mut Content<'_>) {
        if content.len() <= self.limits.inline_bytes {
            return;
        }
        if let Some(data) = content.inline() {
            self.blobs.push(HostBlob {
                data: data.to_vec(),
                writable: false,
            });
            *content = Content::from_blob(Blob {
                handle: self.blobs.len() as u32,
                size: data.len() as u64,
                sha256: Some(sha256(data)),
                ..Blob::default()
            });
        }
    }

    /// Replaces the blobs of an outcome by their content. It fails, as the host does,
    /// for blobs that it doesn't know and for inline content over the limit.
    pub fn inline(&self, outcome: &mut Outcome) -> Result<(), String> {
        outcome.each_content(|content| {
            let blob = match content.blob() {
                Some(blob) => blob,
                None if content.len() > self.limits.inline_bytes => {
                    return Err("content over the inline limit is inline".into());
                }
                None => return Ok(()),
            };
            let found = self
                .blob(blob.handle)
                .filter(|b| b.data.len() as u64 == blob.size);
            let data = found.ok_or_else(|| {
                format!(
                    "no blob has the handle {} and {} bytes",
                    blob.handle, blob.size
                )
            })?;
            *content = data.data.clone().into();
            Ok(())
        })
    }

    fn blob(&self, handle: u32) -> Option<&HostBlob> {
        self.blobs.get((handle as usize).checked_sub(1)?)
    }
}

impl Host for TestHost {
    fn log(&mut self, level: u32, text: &[u8]) -> i32 {
        let level = match Level::ALL.get(level as usize) {
            Some(level) => *level,
            None => return BAD_ARGUMENT,
        };
        let room = (self.limits.log_bytes - self.logged) as usize;
        let kept = &text[..text.len().min(room)];
        self.logged += kept.len() as u64;
        if !kept.is_empty() || text.is_empty() {
            let text = String::from_utf8_lossy(kept).into_owned();
            self.log.push(LogLine { level, text });
        }
        if kept.len() < text.len() {
            LIMIT
        } else {
            0
        }
    }

    fn fail(&mut self, report: &[u8]) -> i32 {
        let (panic, status) = match Panic::decode(report) {
            _ if report.len() > MAX_REPORT => (Panic::default(), LIMIT),
            Err(_) => (Panic::default(), BAD_MESSAGE),
            Ok(panic) => {
                let owned = |bytes: &[u8]| bytes.to_vec().into();
                let panic = Panic {
                    message: owned(&panic.message),
                    file: owned(&panic.file),
                    line: panic.line,
                    stack: owned(&panic.stack),
                };
                (panic, 0)
            }
        };
        self.panic = Some(panic); // it is dead, however badly it says so
        status
    }

    fn blob_len(&mut self, handle: u32) -> i64 {
        self.blob(handle)
            .map_or(BAD_HANDLE.into(), |b| b.data.len() as i64)
    }

    fn blob_read(&mut self, handle: u32, offset: u64, buffer: &mut [u8]) -> i32 {
        let blob = match self.blob(handle) {
            Some(blob) => blob,
            None => return BAD_HANDLE,
        };
        if i64::try_from(offset).is_err() || i32::try_from(buffer.len()).is_err() {
            return BAD_ARGUMENT;
        }
        let rest = blob.data.get(offset as usize..).unwrap_or_default();
        let n = rest.len().min(buffer.len());
        buffer[..n].copy_from_slice(&rest[..n]);
        n as i32
    }

    fn blob_new(&mut self) -> i32 {
        self.blobs.push(HostBlob {
            data: Vec::new(),
            writable: true,
        });
        self.blobs.len() as i32
    }

    fn blob_write(&mut self, handle: u32, bytes: &[u8]) -> i32 {
        let room = self.limits.blob_bytes - self.written;
        let index = (handle as usize).wrapping_sub(1);
        let blob = match self.blobs.get_mut(index).filter(|blob| blob.writable) {
            Some(blob) => blob,
            None => return BAD_HANDLE,
        };
        if bytes.len() as u64 > room {
            return LIMIT;
        }
        self.written += bytes.len() as u64;
        blob.data.extend_from_slice(bytes);
        bytes.len() as i32
    }

    fn extension(&mut self, _: u32, _: &[u8]) -> i64 {
        UNSUPPORTED
    }
}
