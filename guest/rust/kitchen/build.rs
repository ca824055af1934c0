//! Has the linker write addresses in the bytes that they take, not in five each.

use std::env::var;

fn main() {
    let is = |name, value: &str| var(name).map_or(false, |v| v == value);
    // The linker can't do it to debug information, which other profiles keep.
    if is("CARGO_CFG_TARGET_ARCH", "wasm32") && is("PROFILE", "release") {
        println!("cargo:rustc-link-arg-cdylib=--compress-relocations");
    }
    println!("cargo:rerun-if-changed=build.rs");
}
