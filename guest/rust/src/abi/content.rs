use alloc::{borrow::Cow, boxed::Box, string::String, vec::Vec};

use super::encoder::{Encode, Encoder};
use super::reader::{Merge, Names, Reader};
use super::Reason;

/// Bytes: the guest's own, or those of a request, which the host may hold as a blob.
///
/// Content of a request borrows from its call, so it can't be kept; [`to_vec`]
/// copies it:
///
/// ```compile_fail
/// # use wasmsandbox::{Content, Guest};
/// let mut kept: Option<Content> = None;
/// let guest = Guest::new("store", "1.0.0").write("keep", move |_, req| {
///     kept = Some(req.data.content.clone()); // borrowed data escapes
///     Ok(())
/// });
/// ```
///
/// Content of a result is `Content<'static>`, made from text or bytes, or
/// by a [`Writer`](crate::Writer).
///
/// [`to_vec`]: Content::to_vec
#[derive(Clone, Debug)]
pub struct Content<'a> {
    pub(crate) source: Source<'a>,
}

#[derive(Clone, Debug)]
pub(crate) enum Source<'a> {
    Borrowed(&'a [u8]),
    Owned(Vec<u8>),
    Blob(Box<Blob>), // boxed, so that content is small to move
}

/// Content that stays with the host, and is named by a handle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blob {
    /// A positive number, valid until the call has ended.
    pub handle: u32,
    /// Bytes.
    pub size: u64,
    /// The SHA-256 of the bytes, which the host always gives.
    pub sha256: Option<[u8; 32]>,
    /// The call in which this guest made the blob; 0 for blobs of the host.
    pub(crate) made_in: u64,
}

impl<'a> Content<'a> {
    /// Content that is a blob. Only what is valid in the call must become `'static`.
    pub(crate) fn from_blob(blob: Blob) -> Self {
        Content {
            source: Source::Blob(Box::new(blob)),
        }
    }

    fn borrowed(bytes: &'a [u8]) -> Self {
        Content {
            source: Source::Borrowed(bytes),
        }
    }

    fn owned(bytes: Vec<u8>) -> Self {
        Content {
            source: Source::Owned(bytes),
        }
    }

    /// The length in bytes.
    pub fn len(&self) -> u64 {
        match &self.source {
            Source::Borrowed(bytes) => bytes.len() as u64,
            Source::Owned(bytes) => bytes.len() as u64,
            Source::Blob(blob) => blob.size,
        }
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes, unless they are with the host.
    pub fn inline(&self) -> Option<&[u8]> {
        match &self.source {
            Source::Borrowed(bytes) => Some(bytes),
            Source::Owned(bytes) => Some(bytes),
            Source::Blob(_) => None,
        }
    }

    /// The blob, if the bytes are with the host.
    pub fn blob(&self) -> Option<&Blob> {
        match &self.source {
            Source::Blob(blob) => Some(blob),
            _ => None,
        }
    }

    /// The digest that the host sent with large content. It sends none with content
    /// that is inside of the message.
    pub fn sha256(&self) -> Option<&[u8; 32]> {
        self.blob()?.sha256.as_ref()
    }

    fn is_default(&self) -> bool {
        self.inline().map_or(false, <[u8]>::is_empty)
    }

    /// Writes the content, unless it is empty.
    pub(super) fn encode_field(&self, num: u32, e: &mut Encoder) {
        if !self.is_default() {
            e.message(num, self);
        }
    }

    /// Content that doesn't borrow. That of a blob is still valid only in its call.
    pub(crate) fn into_owned(self) -> Content<'static> {
        match self.source {
            Source::Borrowed(bytes) => Content::owned(bytes.to_vec()),
            Source::Owned(bytes) => Content::owned(bytes),
            Source::Blob(blob) => Content {
                source: Source::Blob(blob),
            },
        }
    }
}

impl Content<'static> {
    pub(super) fn merge_owned(&mut self, r: &mut Reader<'_>) {
        let mut content = core::mem::take(self);
        r.merge(&mut content);
        *self = content.into_owned();
    }
}

impl PartialEq for Content<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.inline() == other.inline() && self.blob() == other.blob()
    }
}

impl Eq for Content<'_> {}

impl Default for Content<'_> {
    fn default() -> Self {
        Content::borrowed(&[])
    }
}

impl<'a> From<&'a str> for Content<'a> {
    fn from(text: &'a str) -> Self {
        Content::borrowed(text.as_bytes())
    }
}

impl<'a> From<&'a [u8]> for Content<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Content::borrowed(bytes)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Content<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        Content::borrowed(bytes)
    }
}

impl From<String> for Content<'_> {
    fn from(text: String) -> Self {
        Content::owned(text.into_bytes())
    }
}

impl From<Vec<u8>> for Content<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Content::owned(bytes)
    }
}

impl<'a> From<Cow<'a, [u8]>> for Content<'a> {
    fn from(bytes: Cow<'a, [u8]>) -> Self {
        match bytes {
            Cow::Borrowed(bytes) => Content::borrowed(bytes),
            Cow::Owned(bytes) => Content::owned(bytes),
        }
    }
}

impl<'a> Merge<'a> for Content<'a> {
    fn names(&self) -> &'static Names {
        &Names {
            message: "Content",
            fields: &["inline", "blob"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => *self = r.bytes().into(),
            2 => {
                if self.blob().is_none() {
                    *self = Content::from_blob(Blob::default());
                }
                if let Source::Blob(blob) = &mut self.source {
                    r.merge(&mut **blob);
                }
            }
            _ => r.skip(),
        }
    }
}

impl Encode for Content<'_> {
    fn encode(&self, e: &mut Encoder) {
        match &self.source {
            Source::Borrowed(bytes) => e.set_bytes(1, bytes),
            Source::Owned(bytes) => e.set_bytes(1, bytes),
            Source::Blob(blob) => e.message(2, &**blob),
        }
    }
}

impl<'a> Merge<'a> for Blob {
    fn names(&self) -> &'static Names {
        &Names {
            message: "Blob",
            fields: &["handle", "size", "sha256"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.handle = r.uint32(),
            2 => self.size = r.uint64(),
            3 => self.sha256 = digest(r),
            _ => r.skip(),
        }
    }
}

fn digest(r: &mut Reader<'_>) -> Option<[u8; 32]> {
    let bytes = r.bytes();
    let digest = bytes.try_into().ok();
    if digest.is_none() && !bytes.is_empty() {
        r.fail(Reason::Digest);
    }
    digest
}

impl Encode for Blob {
    fn encode(&self, e: &mut Encoder) {
        if let Some(digest) = &self.sha256 {
            e.set_bytes(3, digest);
        }
        e.uint(2, self.size);
        e.uint(1, self.handle.into());
    }
}

/// A file-like value: content and a position in it. It is what `write` brings, and
/// what `read` returns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stream<'a> {
    /// All of it, also what lies before the position.
    pub content: Content<'a>,
    /// Bytes from the start; may be past the end.
    pub position: u64,
    /// Made of text, not of bytes.
    pub text: bool,
}

impl<'a> Stream<'a> {
    /// A stream of bytes at its start.
    pub fn bytes(content: impl Into<Content<'a>>) -> Self {
        Stream {
            content: content.into(),
            ..Self::default()
        }
    }

    /// A stream of text at its start.
    pub fn text(content: impl Into<Content<'a>>) -> Self {
        Stream {
            content: content.into(),
            text: true,
            ..Self::default()
        }
    }

    /// Whether the stream says nothing, so that it can be left out.
    pub(super) fn is_default(&self) -> bool {
        self.content.is_default() && self.position == 0 && !self.text
    }

    pub(super) fn into_owned(self) -> Stream<'static> {
        Stream {
            content: self.content.into_owned(),
            position: self.position,
            text: self.text,
        }
    }
}

impl<'a> Merge<'a> for Stream<'a> {
    fn names(&self) -> &'static Names {
        &Names {
            message: "Stream",
            fields: &["content", "position", "text"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => r.merge(&mut self.content),
            2 => self.position = r.uint64(),
            3 => self.text = r.bool(),
            _ => r.skip(),
        }
    }
}

impl Encode for Stream<'_> {
    fn encode(&self, e: &mut Encoder) {
        e.uint(3, self.text.into());
        e.uint(2, self.position);
        self.content.encode_field(1, e);
    }
}
