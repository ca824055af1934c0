use alloc::{borrow::Cow, string::String, vec::Vec};

use super::encoder::{Encode, Encoder};
use super::reader::{Merge, Names, Reader};

/// A matcher's answer. The default is no answer, which accepts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// What it comes to.
    pub answer: Answer,
    /// Why the call is rejected.
    pub reason: Cow<'static, str>,
    /// What isn't as it should be.
    pub differences: Vec<Difference>,
}

/// What a verdict comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Answer {
    /// No answer: the call is accepted.
    #[default]
    None = 0,
    /// The call is the one that the step waits for.
    Accept = 1,
    /// It is another one.
    Reject = 2,
}

/// A field that isn't as it should be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// For example `args[0]` or `kwargs.timeout`.
    pub field: String,
    /// What it should be.
    pub expected: String,
    /// What it is.
    pub actual: String,
}

impl Verdict {
    /// The call is the one that the step waits for.
    pub fn accept() -> Self {
        Verdict {
            answer: Answer::Accept,
            ..Self::default()
        }
    }

    /// The call isn't the one that the step waits for. The session's caller gets the
    /// reason, and the step stays.
    pub fn reject(reason: impl Into<Cow<'static, str>>) -> Self {
        Verdict {
            answer: Answer::Reject,
            reason: reason.into(),
            ..Self::default()
        }
    }

    /// No answer: the call is accepted.
    pub fn undecided() -> Self {
        Self::default()
    }

    /// Adds a field that isn't as it should be.
    #[must_use]
    pub fn differ(
        mut self,
        field: impl Into<String>,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) -> Self {
        self.add(field.into(), expected.into(), actual.into());
        self
    }

    fn add(&mut self, field: String, expected: String, actual: String) {
        self.differences.push(Difference {
            field,
            expected,
            actual,
        });
    }
}

impl<'a> Merge<'a> for Verdict {
    fn names(&self) -> &'static Names {
        &Names {
            message: "Verdict",
            fields: &["answer", "reason", "differences"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        const ANSWERS: [Answer; 3] = [Answer::None, Answer::Accept, Answer::Reject];
        match r.num {
            1 => self.answer = r.enumerated(&ANSWERS),
            2 => self.reason = Cow::Owned(r.text().into()),
            3 => r.push(&mut self.differences),
            _ => r.skip(),
        }
    }
}

impl Encode for Verdict {
    fn encode(&self, e: &mut Encoder) {
        e.all(3, &self.differences);
        e.bytes(2, self.reason.as_bytes());
        e.uint(1, self.answer as u64);
    }
}

impl<'a> Merge<'a> for Difference {
    fn names(&self) -> &'static Names {
        &Names {
            message: "Difference",
            fields: &["field", "expected", "actual"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.field = r.text().into(),
            2 => self.expected = r.text().into(),
            3 => self.actual = r.text().into(),
            _ => r.skip(),
        }
    }
}

impl Encode for Difference {
    fn encode(&self, e: &mut Encoder) {
        e.bytes(3, self.actual.as_bytes());
        e.bytes(2, self.expected.as_bytes());
        e.bytes(1, self.field.as_bytes());
    }
}
