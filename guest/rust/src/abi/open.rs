use super::encoder::{encode_to_vec, Encode, Encoder};
use super::reader::{decode, Merge, Names, Reader};
use super::{DecodeError, Map};
use alloc::vec::Vec;

/// What a guest is told before its first call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Open {
    /// What the script configured.
    pub config: Map,
    /// The session's.
    pub seed: u64,
    /// The virtual time at which the session starts, in nanoseconds since 1970 UTC.
    pub start_time_ns: i64,
    /// What the host enforces.
    pub limits: Limits,
}

/// Sizes that the host enforces. One that is 0 isn't told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Content longer than this travels as a blob.
    pub inline_bytes: u64,
    /// The longest reply that the host takes.
    pub reply_bytes: u64,
    /// How much log text is kept of a call.
    pub log_bytes: u64,
    /// How many bytes the blobs of a call may have together.
    pub blob_bytes: u64,
}

impl Limits {
    /// The limits that hold unless a session has others.
    pub const DEFAULT: Limits = Limits {
        inline_bytes: 64 << 10,
        reply_bytes: 16 << 20,
        log_bytes: 1 << 20,
        blob_bytes: 256 << 20,
    };

    /// These limits, with the default for each that isn't told.
    pub fn or_default(self) -> Self {
        let or = |told, default| if told == 0 { default } else { told };
        Limits {
            inline_bytes: or(self.inline_bytes, Self::DEFAULT.inline_bytes),
            reply_bytes: or(self.reply_bytes, Self::DEFAULT.reply_bytes),
            log_bytes: or(self.log_bytes, Self::DEFAULT.log_bytes),
            blob_bytes: or(self.blob_bytes, Self::DEFAULT.blob_bytes),
        }
    }
}

impl Open {
    /// Decodes a message.
    pub fn decode(data: &[u8]) -> Result<Self, DecodeError> {
        decode(data)
    }

    /// Encodes the message.
    pub fn encode(&self) -> Vec<u8> {
        encode_to_vec(self)
    }
}

impl<'a> Merge<'a> for Open {
    fn names(&self) -> &'static Names {
        &Names {
            message: "Open",
            fields: &["config", "seed", "start_time_ns", "limits"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.config.read_entry(r),
            2 => self.seed = r.uint64(),
            3 => self.start_time_ns = r.int64(),
            4 => r.merge(&mut self.limits),
            _ => r.skip(),
        }
    }
}

impl Encode for Open {
    fn encode(&self, e: &mut Encoder) {
        if self.limits != Limits::default() {
            e.message(4, &self.limits);
        }
        e.uint(3, self.start_time_ns as u64);
        e.uint(2, self.seed);
        self.config.encode_field(1, e);
    }
}

impl<'a> Merge<'a> for Limits {
    fn names(&self) -> &'static Names {
        &Names {
            message: "Limits",
            fields: &["inline_bytes", "reply_bytes", "log_bytes", "blob_bytes"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.inline_bytes = r.uint64(),
            2 => self.reply_bytes = r.uint64(),
            3 => self.log_bytes = r.uint64(),
            4 => self.blob_bytes = r.uint64(),
            _ => r.skip(),
        }
    }
}

impl Encode for Limits {
    fn encode(&self, e: &mut Encoder) {
        e.uint(4, self.blob_bytes);
        e.uint(3, self.log_bytes);
        e.uint(2, self.reply_bytes);
        e.uint(1, self.inline_bytes);
    }
}
