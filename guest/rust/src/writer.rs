use alloc::vec::Vec;
use core::fmt;

use crate::abi::{Blob, Content};
use crate::host::{self, HostError};
use crate::Call;

/// Collects output that is made in pieces. Little output stays in the guest's memory;
/// what is longer than the host's inline limit goes to the host as a blob, of which
/// the guest holds no more than one buffer.
///
/// ```no_run
/// # fn numbers(call: &wasmsandbox::Call) -> wasmsandbox::Result<wasmsandbox::ExecResult> {
/// let mut w = call.writer();
/// for i in 0..100_000 {
///     writeln!(w, "{i}")?;
/// }
/// Ok(wasmsandbox::ExecResult::stdout(w.finish()?))
/// # }
/// ```
///
/// `write!` and `writeln!` need no trait in scope. A writer can't outlive its call; its
/// content can, but returning it in a later call is a guest failure.
#[derive(Debug)]
pub struct Writer<'a> {
    buffer: Vec<u8>,
    blob: Option<Blob>,
    failure: Option<HostError>,
    call: &'a Call<'a>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(call: &'a Call<'a>) -> Self {
        Writer {
            buffer: Vec::new(),
            blob: None,
            failure: None,
            call,
        }
    }

    /// Adds bytes. After a failure, which is the host's limit for blobs, all calls
    /// fail with the same error.
    pub fn write(&mut self, bytes: impl AsRef<[u8]>) -> Result<(), HostError> {
        let bytes = bytes.as_ref();
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let written = self.add(bytes);
        self.failure = written.err();
        written
    }

    /// Adds formatted text, for `write!`. It panics when what is displayed says that it
    /// can't be, as `format!` does.
    pub fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> Result<(), HostError> {
        let shown = fmt::write(self, text);
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        shown.expect("a formatting trait implementation returned an error");
        Ok(())
    }

    /// What was written.
    pub fn finish(mut self) -> Result<Content<'static>, HostError> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        if self.blob.is_some() {
            self.flush()?;
        }
        Ok(match self.blob {
            Some(blob) => Content::from_blob(blob),
            None => self.buffer.into(),
        })
    }

    fn add(&mut self, bytes: &[u8]) -> Result<(), HostError> {
        let (len, limit) = (bytes.len() as u64, self.call.limits().inline_bytes);
        if self.buffer.len() as u64 + len > limit {
            self.flush()?;
        }
        if len > limit {
            return self.append(bytes);
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    /// Moves the buffer into the blob.
    fn flush(&mut self) -> Result<(), HostError> {
        let mut buffer = core::mem::take(&mut self.buffer);
        self.append(&buffer)?;
        buffer.clear();
        self.buffer = buffer;
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), HostError> {
        let blob = match &mut self.blob {
            Some(blob) => blob,
            None => self.blob.insert(Blob {
                handle: host::blob_new()?,
                made_in: self.call.number,
                ..Blob::default()
            }),
        };
        host::blob_write(blob.handle, bytes)?;
        blob.size += bytes.len() as u64;
        Ok(())
    }
}

impl fmt::Write for Writer<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.write(text).map_err(|_| fmt::Error)
    }

    fn write_char(&mut self, c: char) -> fmt::Result {
        self.write_str(c.encode_utf8(&mut [0; 4]))
    }
}

#[cfg(feature = "std")]
impl std::io::Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        Writer::write(self, bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(()) // the host needs the bytes when the handler returns
    }
}
