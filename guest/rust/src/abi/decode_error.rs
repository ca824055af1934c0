use core::fmt;

/// Where and why the bytes of a message can't be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// The innermost message, such as `ExecResult`.
    pub message: &'static str,
    /// The field of that message, or `""` when there is none to name.
    pub field: &'static str,
    /// Where the field starts in the bytes; their number when something is missing.
    pub offset: usize,
    /// What is wrong.
    pub reason: Reason,
}

impl DecodeError {
    /// The error of a message that lacks what has to be set.
    pub(super) fn missing(message: &'static str, field: &'static str, data: &[u8]) -> Self {
        DecodeError {
            message,
            field,
            offset: data.len(),
            reason: Reason::Missing,
        }
    }
}

/// Why a message can't be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The data ends within a field.
    Truncated,
    /// A number has more than 64 bits.
    Overflow,
    /// A field number is 0 or above 2^29-1.
    FieldNumber,
    /// The wire type isn't the field's, or isn't supported.
    WireType,
    /// A number doesn't fit into the field's 32 bits.
    Range,
    /// A text is not UTF-8.
    InvalidUtf8,
    /// A value lies within 64 others.
    Depth,
    /// There are more than 262144 embedded messages.
    TooMany,
    /// What has to be set is missing.
    Missing,
    /// The number is none of an enum's.
    Enum,
    /// A digest is neither empty nor 32 bytes long.
    Digest,
}

impl Reason {
    /// The reason's name in the specification, such as `field_number`.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Truncated => "truncated",
            Reason::Overflow => "overflow",
            Reason::FieldNumber => "field_number",
            Reason::WireType => "wire_type",
            Reason::Range => "range",
            Reason::InvalidUtf8 => "invalid_utf8",
            Reason::Depth => "depth",
            Reason::TooMany => "too_many",
            Reason::Missing => "missing",
            Reason::Enum => "enum",
            Reason::Digest => "digest",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Reason::Truncated => "the data ends too early",
            Reason::Overflow => "the number is longer than 64 bits",
            Reason::FieldNumber => "the field number is out of range",
            Reason::WireType => "the wire type doesn't fit the field or isn't supported",
            Reason::Range => "the number is too large for the field",
            Reason::InvalidUtf8 => "the text is not valid UTF-8",
            Reason::Depth => "values are nested too deeply",
            Reason::TooMany => "there are too many embedded messages",
            Reason::Missing => "what has to be set is missing",
            Reason::Enum => "the value is not one of those defined",
            Reason::Digest => "the digest is not 32 bytes long",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dot = if self.field.is_empty() { "" } else { "." };
        write!(
            f,
            "decoding {}{}{} at byte {}: {}",
            self.message, dot, self.field, self.offset, self.reason
        )
    }
}

#[cfg(feature = "std")]
impl std::error::Error for DecodeError {}
