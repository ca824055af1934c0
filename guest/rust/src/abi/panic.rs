use alloc::{borrow::Cow, vec::Vec};

use super::encoder::{encode_to_vec, Encode, Encoder};
use super::reader::{decode, Merge, Names, Reader};
use super::DecodeError;

/// What a guest reports before it dies. Its texts need not be UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Panic<'a> {
    /// What went wrong.
    pub message: Cow<'a, [u8]>,
    /// The source file.
    pub file: Cow<'a, [u8]>,
    /// The line in it, from 1; 0: unknown.
    pub line: u32,
    /// The calls that led there, if known.
    pub stack: Cow<'a, [u8]>,
}

impl<'a> Panic<'a> {
    /// Decodes a message.
    pub fn decode(data: &'a [u8]) -> Result<Self, DecodeError> {
        decode(data)
    }

    /// Encodes the message.
    pub fn encode(&self) -> Vec<u8> {
        encode_to_vec(self)
    }
}

impl<'a> Merge<'a> for Panic<'a> {
    fn names(&self) -> &'static Names {
        &Names {
            message: "Panic",
            fields: &["message", "file", "line", "stack"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.message = r.bytes().into(),
            2 => self.file = r.bytes().into(),
            3 => self.line = r.uint32(),
            4 => self.stack = r.bytes().into(),
            _ => r.skip(),
        }
    }
}

impl Encode for Panic<'_> {
    fn encode(&self, e: &mut Encoder) {
        e.bytes(4, &self.stack);
        e.uint(3, self.line.into());
        e.bytes(2, &self.file);
        e.bytes(1, &self.message);
    }
}
