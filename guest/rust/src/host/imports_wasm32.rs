//! The imports of a guest.
#![allow(unsafe_code)]

mod abi {
    #[link(wasm_import_module = "wasmsandbox_v1")]
    extern "C" {
        pub fn log(level: u32, ptr: *const u8, len: usize) -> i32;
        pub fn fail(ptr: *const u8, len: usize) -> i32;
        pub fn blob_len(handle: u32) -> i64;
        pub fn blob_read(handle: u32, offset: u64, ptr: *mut u8, len: usize) -> i32;
        pub fn blob_new() -> i32;
        pub fn blob_write(handle: u32, ptr: *const u8, len: usize) -> i32;
        pub fn extension(op: u32, ptr: *const u8, len: usize) -> i64;
    }
}

// SAFETY, of all below: the host reads or writes no more than the bytes of the slice
// it is given, before it returns, and never calls back.

pub fn log(level: u32, text: &[u8]) -> i32 {
    unsafe { abi::log(level, text.as_ptr(), text.len()) }
}

pub fn fail(report: &[u8]) -> i32 {
    unsafe { abi::fail(report.as_ptr(), report.len()) }
}

pub fn blob_len(handle: u32) -> i64 {
    unsafe { abi::blob_len(handle) }
}

pub fn blob_read(handle: u32, offset: u64, buffer: &mut [u8]) -> i32 {
    unsafe { abi::blob_read(handle, offset, buffer.as_mut_ptr(), buffer.len()) }
}

pub fn blob_new() -> i32 {
    unsafe { abi::blob_new() }
}

pub fn blob_write(handle: u32, bytes: &[u8]) -> i32 {
    unsafe { abi::blob_write(handle, bytes.as_ptr(), bytes.len()) }
}

pub fn extension(op: u32, argument: &[u8]) -> i64 {
    unsafe { abi::extension(op, argument.as_ptr(), argument.len()) }
}
