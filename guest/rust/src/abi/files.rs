use alloc::{string::String, vec::Vec};

use super::content::Stream;
use super::encoder::{Encode, Encoder};
use super::reader::{Merge, Names, Reader};

/// The arguments of `ls`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LsRequest<'a> {
    /// The folder, which need not be UTF-8.
    pub path: &'a [u8],
    /// `""`: none.
    pub user: &'a str,
}

impl<'a> Merge<'a> for LsRequest<'a> {
    fn names(&self) -> &'static Names {
        &Names {
            message: "LsRequest",
            fields: &["path", "user"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.path = r.bytes(),
            2 => self.user = r.text(),
            _ => r.skip(),
        }
    }
}

impl Encode for LsRequest<'_> {
    fn encode(&self, e: &mut Encoder) {
        e.bytes(2, self.user.as_bytes());
        e.bytes(1, self.path);
    }
}

/// The arguments of `mkdir`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MkdirRequest<'a> {
    /// The folder, which need not be UTF-8.
    pub path: &'a [u8],
    /// Whether folders above it are made as well.
    pub parents: bool,
    /// `""`: none.
    pub user: &'a str,
}

impl<'a> Merge<'a> for MkdirRequest<'a> {
    fn names(&self) -> &'static Names {
        &Names {
            message: "MkdirRequest",
            fields: &["path", "parents", "user"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.path = r.bytes(),
            2 => self.parents = r.bool(),
            3 => self.user = r.text(),
            _ => r.skip(),
        }
    }
}

impl Encode for MkdirRequest<'_> {
    fn encode(&self, e: &mut Encoder) {
        e.bytes(3, self.user.as_bytes());
        e.uint(2, self.parents.into());
        e.bytes(1, self.path);
    }
}

/// The arguments of `read`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadRequest<'a> {
    /// The file, which need not be UTF-8.
    pub path: &'a [u8],
    /// `""`: none.
    pub user: &'a str,
}

impl<'a> Merge<'a> for ReadRequest<'a> {
    fn names(&self) -> &'static Names {
        &Names {
            message: "ReadRequest",
            fields: &["path", "user"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.path = r.bytes(),
            2 => self.user = r.text(),
            _ => r.skip(),
        }
    }
}

impl Encode for ReadRequest<'_> {
    fn encode(&self, e: &mut Encoder) {
        e.bytes(2, self.user.as_bytes());
        e.bytes(1, self.path);
    }
}

/// The arguments of `rm`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RmRequest<'a> {
    /// The file, which need not be UTF-8.
    pub path: &'a [u8],
    /// Whether what is in a folder is removed as well.
    pub recursive: bool,
    /// `""`: none.
    pub user: &'a str,
}

impl<'a> Merge<'a> for RmRequest<'a> {
    fn names(&self) -> &'static Names {
        &Names {
            message: "RmRequest",
            fields: &["path", "recursive", "user"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.path = r.bytes(),
            2 => self.recursive = r.bool(),
            3 => self.user = r.text(),
            _ => r.skip(),
        }
    }
}

impl Encode for RmRequest<'_> {
    fn encode(&self, e: &mut Encoder) {
        e.bytes(3, self.user.as_bytes());
        e.uint(2, self.recursive.into());
        e.bytes(1, self.path);
    }
}

/// The arguments of `write`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WriteRequest<'a> {
    /// The file, which need not be UTF-8.
    pub path: &'a [u8],
    /// What is written. It can be read while the call lasts.
    pub data: Stream<'a>,
    /// `""`: none.
    pub user: &'a str,
}

impl<'a> Merge<'a> for WriteRequest<'a> {
    fn names(&self) -> &'static Names {
        &Names {
            message: "WriteRequest",
            fields: &["path", "data", "user"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.path = r.bytes(),
            2 => r.merge(&mut self.data),
            3 => self.user = r.text(),
            _ => r.skip(),
        }
    }
}

impl Encode for WriteRequest<'_> {
    fn encode(&self, e: &mut Encoder) {
        e.bytes(3, self.user.as_bytes());
        if !self.data.is_default() {
            e.message(2, &self.data);
        }
        e.bytes(1, self.path);
    }
}

/// The bit that directories have set in their permissions.
pub const DIRECTORY_BIT: u32 = 0o40000;

/// One file of a listing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileEntry {
    /// The path, which need not be UTF-8.
    pub path: Vec<u8>,
    /// The nine permission bits, and [`DIRECTORY_BIT`].
    pub permissions: u32,
    /// The user it belongs to.
    pub owner: String,
    /// The group it belongs to.
    pub group: String,
    /// Bytes.
    pub size: u64,
    /// What it is.
    pub kind: FileKind,
}

/// What a file is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum FileKind {
    /// A file with content.
    #[default]
    File = 0,
    /// A folder.
    Directory = 1,
    /// A symbolic link.
    Symlink = 2,
    /// A device, a pipe, a socket.
    Other = 3,
}

impl<'a> Merge<'a> for FileEntry {
    fn names(&self) -> &'static Names {
        &Names {
            message: "FileEntry",
            fields: &["path", "permissions", "owner", "group", "size", "kind"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        const KINDS: [FileKind; 4] = [
            FileKind::File,
            FileKind::Directory,
            FileKind::Symlink,
            FileKind::Other,
        ];
        match r.num {
            1 => self.path = r.bytes().into(),
            2 => self.permissions = r.uint32(),
            3 => self.owner = r.text().into(),
            4 => self.group = r.text().into(),
            5 => self.size = r.uint64(),
            6 => self.kind = r.enumerated(&KINDS),
            _ => r.skip(),
        }
    }
}

impl Encode for FileEntry {
    fn encode(&self, e: &mut Encoder) {
        e.uint(6, self.kind as u64);
        e.uint(5, self.size);
        e.bytes(4, self.group.as_bytes());
        e.bytes(3, self.owner.as_bytes());
        e.uint(2, self.permissions.into());
        e.bytes(1, &self.path);
    }
}
