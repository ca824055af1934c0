use alloc::{borrow::Cow, vec::Vec};

use super::encoder::{Encode, Encoder};
use super::reader::{Merge, Names, Reader};
use super::{Method, Reason};

/// Who a guest is, and what handlers it has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The guest's name.
    pub name: Cow<'static, str>,
    /// The guest's version.
    pub version: Cow<'static, str>,
    /// The SDK the guest is written with, if any.
    pub sdk: Cow<'static, str>,
    /// The version of the SDK.
    pub sdk_version: Cow<'static, str>,
    /// The language the guest is written in.
    pub language: Cow<'static, str>,
    /// The compiler, if known.
    pub toolchain: Cow<'static, str>,
    /// The handlers, in ascending order of their ids.
    pub handlers: Vec<HandlerDescription>,
    /// A JSON Schema for the configuration, or `""`.
    pub config_schema: Cow<'static, str>,
}

/// What the host knows of a handler.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HandlerDescription {
    /// What the host passes to call it.
    pub id: u32,
    /// Unique within its kind.
    pub name: Cow<'static, str>,
    /// What it does.
    pub kind: HandlerKind,
    /// The methods that it serves; empty: all of them.
    pub methods: Vec<Method>,
}

/// What a handler does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum HandlerKind {
    /// Not said.
    #[default]
    Unspecified = 0,
    /// It says whether a call is the expected one.
    Match = 1,
    /// It answers a call.
    Respond = 2,
}

impl HandlerKind {
    /// `matcher` or `responder`.
    pub fn name(self) -> &'static str {
        match self {
            HandlerKind::Unspecified => "handler",
            HandlerKind::Match => "matcher",
            HandlerKind::Respond => "responder",
        }
    }
}

fn text(r: &mut Reader<'_>) -> Cow<'static, str> {
    Cow::Owned(r.text().into())
}

impl<'a> Merge<'a> for Description {
    fn names(&self) -> &'static Names {
        &Names {
            message: "Description",
            fields: &[
                "name",
                "version",
                "sdk",
                "sdk_version",
                "language",
                "toolchain",
                "handlers",
                "config_schema",
            ],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.name = text(r),
            2 => self.version = text(r),
            3 => self.sdk = text(r),
            4 => self.sdk_version = text(r),
            5 => self.language = text(r),
            6 => self.toolchain = text(r),
            7 => r.push(&mut self.handlers),
            8 => self.config_schema = text(r),
            _ => r.skip(),
        }
    }
}

impl Encode for Description {
    fn encode(&self, e: &mut Encoder) {
        let texts = DescriptionTexts {
            name: &self.name,
            version: &self.version,
            sdk: &self.sdk,
            sdk_version: &self.sdk_version,
            language: &self.language,
            toolchain: &self.toolchain,
            config_schema: &self.config_schema,
        };
        texts.encode(e, |num, e| e.all(num, &self.handlers));
    }
}

/// A description without its handlers.
pub(crate) struct DescriptionTexts<'a> {
    pub name: &'a str,
    pub version: &'a str,
    pub sdk: &'a str,
    pub sdk_version: &'a str,
    pub language: &'a str,
    pub toolchain: &'a str,
    pub config_schema: &'a str,
}

impl DescriptionTexts<'_> {
    /// Writes the description. `handlers` writes those, as a field of a number.
    pub fn encode(&self, e: &mut Encoder, handlers: impl FnOnce(u32, &mut Encoder)) {
        e.bytes(8, self.config_schema.as_bytes());
        handlers(7, e);
        e.bytes(6, self.toolchain.as_bytes());
        e.bytes(5, self.language.as_bytes());
        e.bytes(4, self.sdk_version.as_bytes());
        e.bytes(3, self.sdk.as_bytes());
        e.bytes(2, self.version.as_bytes());
        e.bytes(1, self.name.as_bytes());
    }
}

impl<'a> Merge<'a> for HandlerDescription {
    fn names(&self) -> &'static Names {
        &Names {
            message: "Handler",
            fields: &["id", "name", "kind", "methods"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        const KINDS: [HandlerKind; 3] = [
            HandlerKind::Unspecified,
            HandlerKind::Match,
            HandlerKind::Respond,
        ];
        match r.num {
            1 => self.id = r.uint32(),
            2 => self.name = text(r),
            3 => self.kind = r.enumerated(&KINDS),
            4 => r.packed(|r, n| match Method::from_number(n) {
                Some(method) => self.methods.push(method),
                None => r.fail(Reason::Enum),
            }),
            _ => r.skip(),
        }
    }
}

impl Encode for HandlerDescription {
    fn encode(&self, e: &mut Encoder) {
        let methods: Vec<u8> = self.methods.iter().map(|m| *m as u8).collect();
        describe_handler(e, self.id, &self.name, self.kind, &methods);
    }
}

/// Writes the description of a handler, with the numbers of its methods.
pub(crate) fn describe_handler(
    e: &mut Encoder,
    id: u32,
    name: &str,
    kind: HandlerKind,
    methods: &[u8],
) {
    e.bytes(4, methods); // each is below 128: one byte
    e.uint(3, kind as u64);
    e.bytes(2, name.as_bytes());
    e.uint(1, id.into());
}
