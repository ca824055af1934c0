//! The functions that the host offers, as the ABI declares them. They are reached
//! through host.zig, which replaces them by imports_native.zig in native builds.

pub extern "wasmsandbox_v1" fn log(level: u32, ptr: [*]const u8, len: usize) i32;
pub extern "wasmsandbox_v1" fn fail(ptr: [*]const u8, len: usize) i32;
pub extern "wasmsandbox_v1" fn blob_len(handle: u32) i64;
pub extern "wasmsandbox_v1" fn blob_read(handle: u32, offset: u64, ptr: [*]u8, len: usize) i32;
pub extern "wasmsandbox_v1" fn blob_new() i32;
pub extern "wasmsandbox_v1" fn blob_write(handle: u32, ptr: [*]const u8, len: usize) i32;
pub extern "wasmsandbox_v1" fn extension(op: u32, ptr: [*]const u8, len: usize) i64;
