//! The writing half of protobuf's wire format.

use alloc::vec::Vec;

/// Writes messages from their end to their start: the length of an embedded message
/// is known when its turn comes, so nothing is measured in advance or moved. All
/// that writes a message therefore writes its last field first.
///
/// One encoder serves many messages, and keeps its memory.
#[derive(Default)]
pub struct Encoder {
    buffer: Vec<u8>,
    start: usize, // of what is written; it ends where the buffer does
    messages: usize,
}

/// A message that can be written.
pub(crate) trait Encode {
    /// Writes the fields, the last one first.
    fn encode(&self, e: &mut Encoder);
}

const VARINT: u8 = 0;
const BYTES: u8 = 2;

impl Encoder {
    /// An encoder without memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets what was written.
    pub fn clear(&mut self) {
        self.start = self.buffer.len();
        self.messages = 0;
    }

    /// What was written since the encoder was cleared.
    pub fn as_slice(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// How many embedded messages were written since the encoder was cleared.
    pub fn messages(&self) -> usize {
        self.messages
    }

    fn len(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// Adds bytes in front of what is written.
    fn put(&mut self, bytes: &[u8]) {
        if bytes.len() > self.start {
            self.grow(bytes.len());
        }
        let end = self.start;
        self.start -= bytes.len();
        self.buffer[self.start..end].copy_from_slice(bytes);
    }

    #[cold]
    fn grow(&mut self, n: usize) {
        let len = self.len();
        let size = (2 * self.buffer.len()).max(len + n).max(256);
        let mut larger = Vec::with_capacity(size);
        larger.resize(size - len, 0);
        larger.extend_from_slice(self.as_slice());
        self.buffer = larger;
        self.start = size - len;
    }

    pub(crate) fn varint(&mut self, v: u64) {
        match u8::try_from(v) {
            Ok(byte) if byte < 0x80 => self.put(&[byte]),
            _ => self.long_varint(v),
        }
    }

    fn long_varint(&mut self, mut v: u64) {
        let mut bytes = [0; 10];
        let mut n = 0;
        while v >= 0x80 {
            bytes[n] = v as u8 | 0x80;
            v >>= 7;
            n += 1;
        }
        bytes[n] = v as u8;
        self.put(&bytes[..n + 1]);
    }

    fn tag(&mut self, num: u32, wire_type: u8) {
        self.varint(u64::from(num << 3 | u32::from(wire_type)));
    }

    /// Writes a number, unless it is zero.
    pub(crate) fn uint(&mut self, num: u32, v: u64) {
        if v != 0 {
            self.set_uint(num, v);
        }
    }

    /// Writes a number, also zero.
    pub(crate) fn set_uint(&mut self, num: u32, v: u64) {
        self.varint(v);
        self.tag(num, VARINT);
    }

    /// Writes a signed number that is small when its magnitude is, unless it is zero.
    pub(crate) fn sint(&mut self, num: u32, v: i64) {
        self.uint(num, zigzag(v));
    }

    /// Writes a signed number that is small when its magnitude is, also zero.
    pub(crate) fn set_sint(&mut self, num: u32, v: i64) {
        self.set_uint(num, zigzag(v));
    }

    /// Writes bytes or text, unless there are none.
    pub(crate) fn bytes(&mut self, num: u32, v: &[u8]) {
        if !v.is_empty() {
            self.set_bytes(num, v);
        }
    }

    /// Writes bytes or text, also when there are none.
    pub(crate) fn set_bytes(&mut self, num: u32, v: &[u8]) {
        self.put(v);
        self.varint(v.len() as u64);
        self.tag(num, BYTES);
    }

    /// Writes each element, also an empty one.
    pub(crate) fn all_bytes(&mut self, num: u32, list: &[&[u8]]) {
        for element in list.iter().rev() {
            self.set_bytes(num, element);
        }
    }

    /// Writes an embedded message, also an empty one.
    pub(crate) fn message(&mut self, num: u32, m: &dyn Encode) {
        self.embedded(num, |e| m.encode(e));
    }

    /// Writes an embedded message for each element.
    pub(crate) fn all(&mut self, num: u32, list: &[impl Encode]) {
        for element in list.iter().rev() {
            self.message(num, element);
        }
    }

    /// Writes an embedded message whose fields `fields` writes.
    pub(crate) fn embedded(&mut self, num: u32, fields: impl FnOnce(&mut Self)) {
        let before = self.len();
        fields(self);
        self.head(num, before);
    }

    /// Writes what stands in front of an embedded message.
    fn head(&mut self, num: u32, before: usize) {
        self.messages += 1;
        self.varint((self.len() - before) as u64);
        self.tag(num, BYTES);
    }
}

fn zigzag(v: i64) -> u64 {
    (v << 1 ^ v >> 63) as u64
}

/// Encodes a message by itself.
pub(crate) fn encode_to_vec(m: &dyn Encode) -> Vec<u8> {
    let mut e = Encoder::new();
    m.encode(&mut e);
    e.as_slice().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bytes(Vec<u8>);

    impl Encode for Bytes {
        fn encode(&self, e: &mut Encoder) {
            e.set_bytes(1, &self.0);
        }
    }

    #[test]
    fn lengths_take_the_shortest_form() {
        for (n, head) in [
            (0, &[0x0a, 0][..]),
            (127, &[0x0a, 0x7f]),
            (128, &[0x0a, 0x80, 1]),
            (16383, &[0x0a, 0xff, 0x7f]),
            (16384, &[0x0a, 0x80, 0x80, 1]),
        ] {
            let encoded = encode_to_vec(&Bytes(vec![b'x'; n]));
            assert_eq!(&encoded[..head.len()], head);
            assert_eq!(encoded.len(), head.len() + n);
        }
    }

    #[test]
    fn a_cleared_encoder_forgets_what_was_written() {
        let mut e = Encoder::new();
        e.message(1, &Bytes(vec![b'x'; 1000]));
        assert_eq!(e.messages(), 1);
        e.clear();
        assert_eq!((e.as_slice(), e.messages()), (&[][..], 0));
        e.set_uint(1, u64::MAX);
        assert_eq!(e.as_slice().len(), 11);
    }

    #[test]
    fn signed_numbers_alternate() {
        assert_eq!([0, -1, 1, -2].map(zigzag), [0, 1, 2, 3]);
        assert_eq!([i64::MAX, i64::MIN].map(zigzag), [u64::MAX - 1, u64::MAX]);
    }
}
