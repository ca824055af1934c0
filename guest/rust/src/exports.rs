//! What the functions that [`export!`](crate::export) defines do.
#![allow(unsafe_code)]

use core::cell::UnsafeCell;

use crate::abi::VERSION_MINOR;
use crate::module::Module;
use crate::Guest;

/// The guest that this program is, made when it is first called.
struct Instance(UnsafeCell<Option<Module>>);

// SAFETY: a WebAssembly instance has one thread, and the host calls it once at a
// time and never from within an import, so that no two references exist.
unsafe impl Sync for Instance {}

static INSTANCE: Instance = Instance(UnsafeCell::new(None));

#[inline(never)]
fn module(build: fn() -> Guest) -> &'static mut Module {
    // SAFETY: each export calls this once, and is done with the reference when it
    // returns.
    let slot = unsafe { &mut *INSTANCE.0.get() };
    slot.get_or_insert_with(|| {
        #[cfg(feature = "std")]
        crate::panic_report::install();
        Module::new(build())
    })
}

/// The place of a reply, which the module keeps until it is called again.
fn pack(reply: &[u8]) -> u64 {
    (reply.as_ptr() as u64) << 32 | reply.len() as u64
}

pub fn abi_v1() -> i32 {
    VERSION_MINOR
}

pub fn buffer(build: fn() -> Guest, size: usize) -> *mut u8 {
    match module(build).buffer(size) {
        Some(buffer) => buffer.as_mut_ptr(),
        None => core::ptr::null_mut(),
    }
}

pub fn describe(build: fn() -> Guest) -> u64 {
    pack(module(build).describe())
}

pub fn open(build: fn() -> Guest, len: usize) -> u64 {
    pack(module(build).open(len))
}

pub fn matches(build: fn() -> Guest, handler: u32, len: usize) -> u64 {
    pack(module(build).matches(handler, len))
}

pub fn respond(build: fn() -> Guest, handler: u32, len: usize) -> u64 {
    pack(module(build).respond(handler, len))
}

pub fn close(build: fn() -> Guest) -> u64 {
    pack(module(build).close())
}
