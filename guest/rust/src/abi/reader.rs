//! The reading half of protobuf's wire format, as far as the messages need it.

use super::{DecodeError, Reason, MAX_DEPTH, MAX_MESSAGES};

/// A message that is read field by field. What it has already is completed, as the
/// parts of a message that occurs more than once are.
///
/// It is used as a trait object: the code that walks over fields exists once.
pub(crate) trait Merge<'a> {
    fn names(&self) -> &'static Names;

    /// Reads or skips the reader's current field, by its number:
    ///
    /// ```text
    /// match r.num {
    ///     1 => self.position = r.uint64(),
    ///     _ => r.skip(),
    /// }
    /// ```
    fn field(&mut self, r: &mut Reader<'a>);
}

/// What errors call a message and its fields.
pub(crate) struct Names {
    pub message: &'static str,
    /// In the order of the fields' numbers, from 1 and without a gap.
    pub fields: &'static [&'static str],
}

const VARINT: u8 = 0;
const FIXED64: u8 = 1; // only in fields to skip
const BYTES: u8 = 2;
const FIXED32: u8 = 5; // only in fields to skip

const LAST_FIELD_NUMBER: u64 = (1 << 29) - 1;

/// Walks over the fields of a message and of those embedded in it.
///
/// It keeps the first failure. From then on there are no more fields, and what is
/// read is zero or empty; who has the whole message asks for the failure.
pub(crate) struct Reader<'a> {
    data: &'a [u8], // of the outermost message
    pos: usize,
    end: usize,      // of the message being read
    depth: usize,    // of the value being read
    messages: usize, // entered so far
    names: &'static Names,
    start: usize, // of the current field
    /// The number of the current field; 0 while it isn't known.
    pub num: u32,
    wire_type: u8,
    failure: Option<DecodeError>,
}

/// Decodes a whole message onto what is there.
pub(crate) fn decode_onto<'a>(
    message: &mut dyn Merge<'a>,
    data: &'a [u8],
) -> Result<(), DecodeError> {
    let mut r = Reader {
        data,
        pos: 0,
        end: data.len(),
        depth: 0,
        messages: 0,
        names: message.names(),
        start: 0,
        num: 0,
        wire_type: 0,
        failure: None,
    };
    r.fields(message);
    r.failure.map_or(Ok(()), Err)
}

/// Decodes a whole message that needs nothing to be set.
pub(crate) fn decode<'a, M: Merge<'a> + Default>(data: &'a [u8]) -> Result<M, DecodeError> {
    let mut message = M::default();
    decode_onto(&mut message, data)?;
    Ok(message)
}

impl<'a> Reader<'a> {
    fn fields(&mut self, message: &mut dyn Merge<'a>) {
        let names = message.names();
        while self.next(names) {
            message.field(self);
        }
    }

    /// Reads the next tag of the message; false at its end and after a failure.
    fn next(&mut self, names: &'static Names) -> bool {
        if self.failure.is_some() || self.pos >= self.end {
            return false;
        }
        self.names = names;
        self.start = self.pos;
        self.num = 0;
        let tag = self.varint();
        let num = tag >> 3;
        if num == 0 || num > LAST_FIELD_NUMBER {
            self.fail(Reason::FieldNumber);
            return false;
        }
        self.num = num as u32;
        self.wire_type = (tag & 7) as u8;
        true
    }

    /// Keeps a failure of the current field, unless there is one already.
    #[cold]
    pub fn fail(&mut self, reason: Reason) {
        if self.failure.is_none() {
            let field = (self.num as usize)
                .checked_sub(1)
                .and_then(|i| self.names.fields.get(i));
            self.failure = Some(DecodeError {
                message: self.names.message,
                field: field.copied().unwrap_or_default(),
                offset: self.start,
                reason,
            });
        }
    }

    /// The bytes of the message that aren't read yet.
    fn rest(&self) -> &'a [u8] {
        self.data.get(self.pos..self.end).unwrap_or_default()
    }

    fn varint(&mut self) -> u64 {
        match self.rest().first() {
            Some(byte) if *byte < 0x80 => {
                self.pos += 1;
                u64::from(*byte)
            }
            _ => self.long_varint(),
        }
    }

    fn long_varint(&mut self) -> u64 {
        let mut value = 0;
        let mut shift = 0;
        for byte in self.rest() {
            if shift == 63 && *byte > 1 {
                self.fail(Reason::Overflow);
                return 0;
            }
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if *byte < 0x80 {
                self.pos += shift / 7;
                return value;
            }
        }
        self.fail(Reason::Truncated);
        0
    }

    /// Takes bytes; none after a failure.
    fn take(&mut self, n: u64) -> &'a [u8] {
        let taken = usize::try_from(n).ok().and_then(|n| self.rest().get(..n));
        match taken {
            Some(bytes) => {
                self.pos += bytes.len();
                bytes
            }
            None => {
                self.fail(Reason::Truncated);
                &[]
            }
        }
    }

    /// Passes over a field that the message doesn't define.
    pub fn skip(&mut self) {
        let n = match self.wire_type {
            VARINT => {
                self.varint();
                return;
            }
            BYTES => self.varint(),
            FIXED64 => 8,
            FIXED32 => 4,
            _ => return self.fail(Reason::WireType),
        };
        self.take(n);
    }

    /// Reads an embedded message onto what is there.
    pub fn merge(&mut self, message: &mut dyn Merge<'a>) {
        let outer = self.enter();
        self.fields(message);
        self.end = outer;
    }

    /// Reads an element of a repeated field.
    pub fn push<M: Merge<'a> + Default>(&mut self, list: &mut alloc::vec::Vec<M>) {
        let mut element = M::default();
        self.merge(&mut element);
        list.push(element);
    }

    /// Reads a value, which may lie in no more than 63 others.
    pub fn nested(&mut self, value: &mut dyn Merge<'a>) {
        if self.depth == MAX_DEPTH {
            return self.fail(Reason::Depth);
        }
        self.depth += 1;
        self.merge(value);
        self.depth -= 1;
    }

    /// Begins to read an embedded message, and returns where the one around it ends.
    fn enter(&mut self) -> usize {
        let outer = self.end;
        self.messages += 1;
        if self.messages > MAX_MESSAGES {
            self.fail(Reason::TooMany);
        }
        let n = self.bytes().len();
        self.end = self.pos;
        self.pos -= n;
        outer
    }

    /// Reads numbers, one or any number of them packed, and hands each to `element`.
    pub fn packed(&mut self, mut element: impl FnMut(&mut Self, u64)) {
        if self.wire_type == VARINT {
            let v = self.varint();
            return element(self, v);
        }
        let outer = self.enter();
        while self.failure.is_none() && self.pos < self.end {
            let v = self.varint();
            element(self, v);
        }
        self.end = outer;
    }

    pub fn uint64(&mut self) -> u64 {
        if self.wire_type != VARINT {
            self.fail(Reason::WireType);
            return 0;
        }
        self.varint()
    }

    pub fn uint32(&mut self) -> u32 {
        u32::try_from(self.uint64()).unwrap_or_else(|_| {
            self.fail(Reason::Range);
            0
        })
    }

    pub fn int64(&mut self) -> i64 {
        self.uint64() as i64
    }

    pub fn sint64(&mut self) -> i64 {
        let v = self.uint64();
        (v >> 1) as i64 ^ -((v & 1) as i64)
    }

    pub fn sint32(&mut self) -> i32 {
        let v = self.uint32();
        (v >> 1) as i32 ^ -((v & 1) as i32)
    }

    pub fn bool(&mut self) -> bool {
        self.uint64() != 0
    }

    /// Reads one of an enum's numbers; the first of them is zero's.
    pub fn enumerated<T: Copy + Default>(&mut self, values: &[T]) -> T {
        let v = usize::try_from(self.uint64());
        match v.ok().and_then(|v| values.get(v)) {
            Some(value) => *value,
            None => {
                self.fail(Reason::Enum);
                T::default()
            }
        }
    }

    pub fn bytes(&mut self) -> &'a [u8] {
        if self.wire_type != BYTES {
            self.fail(Reason::WireType);
            return &[];
        }
        let n = self.varint();
        self.take(n)
    }

    pub fn text(&mut self) -> &'a str {
        core::str::from_utf8(self.bytes()).unwrap_or_else(|_| {
            self.fail(Reason::InvalidUtf8);
            ""
        })
    }
}
