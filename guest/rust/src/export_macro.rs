/// Makes a function `fn() -> Guest` the guest that a `cdylib` crate is: it defines
/// the functions that the host calls. The function is called once, when the host
/// first calls the guest. A crate exports one guest.
///
/// Outside of WebAssembly nothing is exported; [`testing`](crate::testing) calls the
/// handlers there.
#[macro_export]
macro_rules! export {
    ($guest:path) => {
        const _: fn() -> $crate::Guest = $guest;

        #[cfg(target_arch = "wasm32")]
        const _: () = {
            #[no_mangle]
            extern "C" fn wasmsandbox_abi_v1() -> i32 {
                $crate::exports::abi_v1()
            }

            #[no_mangle]
            extern "C" fn wasmsandbox_buffer(size: usize) -> *mut u8 {
                $crate::exports::buffer($guest, size)
            }

            #[no_mangle]
            extern "C" fn wasmsandbox_describe() -> u64 {
                $crate::exports::describe($guest)
            }

            #[no_mangle]
            extern "C" fn wasmsandbox_open(len: usize) -> u64 {
                $crate::exports::open($guest, len)
            }

            #[no_mangle]
            extern "C" fn wasmsandbox_match(handler: u32, len: usize) -> u64 {
                $crate::exports::matches($guest, handler, len)
            }

            #[no_mangle]
            extern "C" fn wasmsandbox_respond(handler: u32, len: usize) -> u64 {
                $crate::exports::respond($guest, handler, len)
            }

            #[no_mangle]
            extern "C" fn wasmsandbox_close() -> u64 {
                $crate::exports::close($guest)
            }
        };
    };
}
