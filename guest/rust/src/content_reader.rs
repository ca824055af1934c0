use alloc::vec::Vec;

use crate::abi::{Content, Stream};
use crate::error::Text;
use crate::host::{self, HostError};
use crate::Error;

impl Content<'_> {
    /// Copies bytes from an offset on, and returns how many. They are fewer than the
    /// buffer has only at the end, and 0 at or past it. Each read of a blob is a call
    /// of the host, so read in pieces of some kilobytes.
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, HostError> {
        let blob = match self.blob() {
            Some(blob) => blob,
            None => return Ok(copy_from(self.inline().unwrap_or_default(), offset, buffer)),
        };
        let mut filled = 0;
        while filled < buffer.len() {
            match host::blob_read(blob.handle, offset + filled as u64, &mut buffer[filled..])? {
                0 => break,
                n => filled += n,
            }
        }
        Ok(filled)
    }

    /// A copy of all bytes. Large content is best read in pieces. It fails when the
    /// guest's memory hasn't the room.
    pub fn to_vec(&self) -> Result<Vec<u8>, Error> {
        read_from(self, 0)
    }

    /// Reads the content from its start.
    pub fn reader(&self) -> ContentReader<'_> {
        ContentReader {
            content: self,
            position: 0,
        }
    }
}

impl Stream<'_> {
    /// A copy of the bytes from the position to the end.
    pub fn to_vec(&self) -> Result<Vec<u8>, Error> {
        read_from(&self.content, self.position)
    }

    /// Reads the stream from its position, as the session's caller would.
    pub fn reader(&self) -> ContentReader<'_> {
        ContentReader {
            content: &self.content,
            position: self.position,
        }
    }
}

fn copy_from(bytes: &[u8], offset: u64, buffer: &mut [u8]) -> usize {
    let rest = usize::try_from(offset)
        .ok()
        .and_then(|offset| bytes.get(offset..))
        .unwrap_or_default();
    let n = rest.len().min(buffer.len());
    buffer[..n].copy_from_slice(&rest[..n]);
    n
}

fn read_from(content: &Content<'_>, offset: u64) -> Result<Vec<u8>, Error> {
    const TOO_LARGE: Text = Text("the content is too large to be read at once");
    let len = usize::try_from(content.len().saturating_sub(offset)).map_err(|_| TOO_LARGE)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(len).map_err(|_| TOO_LARGE)?;
    bytes.resize(len, 0);
    if content.read_at(offset, &mut bytes)? < len {
        return Err(Text("the content ends too early").into());
    }
    Ok(bytes)
}

/// Reads content in pieces; at the end it reads 0 bytes. With the feature `std` it is
/// a [`Read`](std::io::Read) and a [`Seek`](std::io::Seek).
#[derive(Clone, Debug)]
pub struct ContentReader<'a> {
    content: &'a Content<'a>,
    position: u64,
}

impl ContentReader<'_> {
    /// Fills the buffer as far as there are bytes, and returns how many it read.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize, HostError> {
        let n = self.content.read_at(self.position, buffer)?;
        self.position += n as u64;
        Ok(n)
    }

    /// Where the next read starts, in bytes from the start of the content.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Sets where the next read starts, which may be past the end.
    pub fn set_position(&mut self, position: u64) {
        self.position = position;
    }
}

#[cfg(feature = "std")]
impl std::io::Read for ContentReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        Ok(ContentReader::read(self, buffer)?)
    }
}

#[cfg(feature = "std")]
impl std::io::Seek for ContentReader<'_> {
    fn seek(&mut self, from: std::io::SeekFrom) -> std::io::Result<u64> {
        use std::io::{Error, ErrorKind, SeekFrom};
        let position = match from {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::Current(offset) => add(self.position, offset),
            SeekFrom::End(offset) => add(self.content.len(), offset),
        };
        self.position = position.ok_or_else(|| Error::from(ErrorKind::InvalidInput))?;
        Ok(self.position)
    }
}

#[cfg(feature = "std")]
fn add(position: u64, offset: i64) -> Option<u64> {
    if offset < 0 {
        position.checked_sub(offset.unsigned_abs())
    } else {
        position.checked_add(offset.unsigned_abs())
    }
}
