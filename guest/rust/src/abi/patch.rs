use alloc::vec::Vec;

use super::encoder::{Encode, Encoder};
use super::reader::{Merge, Names, Reader};

/// The arguments of `apply_patch`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApplyPatchRequest<'a> {
    /// The changes, in their order.
    pub operations: Vec<PatchOperation<'a>>,
    /// `v4a` unless the caller said otherwise.
    pub patch_format: &'a str,
}

impl<'a> Merge<'a> for ApplyPatchRequest<'a> {
    fn names(&self) -> &'static Names {
        &Names {
            message: "ApplyPatchRequest",
            fields: &["operations", "patch_format"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => r.push(&mut self.operations),
            2 => self.patch_format = r.text(),
            _ => r.skip(),
        }
    }
}

impl Encode for ApplyPatchRequest<'_> {
    fn encode(&self, e: &mut Encoder) {
        e.bytes(2, self.patch_format.as_bytes());
        e.all(1, &self.operations);
    }
}

/// One change of a patch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PatchOperation<'a> {
    /// `create_file`, `update_file` or `delete_file`; nobody has checked it.
    pub kind: &'a str,
    /// The file, which need not be UTF-8.
    pub path: &'a [u8],
    /// The change, if there is one.
    pub diff: Option<&'a [u8]>,
    /// The file's new path, if it moves.
    pub move_to: Option<&'a [u8]>,
}

impl<'a> Merge<'a> for PatchOperation<'a> {
    fn names(&self) -> &'static Names {
        &Names {
            message: "PatchOperation",
            fields: &["type", "path", "diff", "move_to"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.kind = r.text(),
            2 => self.path = r.bytes(),
            3 => self.diff = Some(r.bytes()),
            4 => self.move_to = Some(r.bytes()),
            _ => r.skip(),
        }
    }
}

impl Encode for PatchOperation<'_> {
    fn encode(&self, e: &mut Encoder) {
        if let Some(path) = self.move_to {
            e.set_bytes(4, path);
        }
        if let Some(diff) = self.diff {
            e.set_bytes(3, diff);
        }
        e.bytes(2, self.path);
        e.bytes(1, self.kind.as_bytes());
    }
}
