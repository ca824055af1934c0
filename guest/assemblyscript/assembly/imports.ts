// The functions that the host offers, and nothing else imports any. Natively the
// session of testing/session.js stands in for the host.

// @ts-ignore: decorator
@external("wasmsandbox_v1", "log")
export declare function hostLog(level: i32, ptr: usize, len: usize): i32;

// @ts-ignore: decorator
@external("wasmsandbox_v1", "fail")
export declare function hostFail(ptr: usize, len: usize): i32;

// @ts-ignore: decorator
@external("wasmsandbox_v1", "blob_len")
export declare function hostBlobLen(handle: u32): i64;

// @ts-ignore: decorator
@external("wasmsandbox_v1", "blob_read")
export declare function hostBlobRead(handle: u32, offset: i64, ptr: usize, len: usize): i32;

// @ts-ignore: decorator
@external("wasmsandbox_v1", "blob_new")
export declare function hostBlobNew(): i32;

// @ts-ignore: decorator
@external("wasmsandbox_v1", "blob_write")
export declare function hostBlobWrite(handle: u32, ptr: usize, len: usize): i32;

// @ts-ignore: decorator
@external("wasmsandbox_v1", "extension")
export declare function hostExtension(op: u32, ptr: usize, len: usize): i64;
