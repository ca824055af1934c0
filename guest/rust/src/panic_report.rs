//! Tells the host of a panic.

use alloc::borrow::Cow;

use crate::abi::Panic;
use crate::host;

/// Reports a panic to the host. The guest is dead from then on.
fn report(message: &str, file: &str, line: u32) {
    let panic = Panic {
        message: Cow::Borrowed(message.as_bytes()),
        file: Cow::Borrowed(file.as_bytes()),
        line,
        ..Panic::default()
    };
    let _ = host::fail(&panic.encode()); // it is dying: nobody can use the answer
}

/// Reports a panic to the host, from the panic handler of a guest without the
/// standard library. The guest is dead from then on, whatever it does; it should end
/// with `core::arch::wasm32::unreachable()`.
#[cfg(not(feature = "std"))]
pub fn report_panic(info: &core::panic::PanicInfo<'_>) {
    use alloc::string::ToString;

    let text = info.to_string();
    match info.location() {
        Some(at) => report(message(&text, &at.to_string()), at.file(), at.line()),
        None => report(&text, "", 0),
    }
}

/// The message in the text of a panic at a place, which is written as
/// `panicked at PLACE:\nMESSAGE` or, by compilers before Rust 1.73, as
/// `panicked at 'MESSAGE', PLACE`.
#[cfg(any(not(feature = "std"), test))]
fn message<'a>(text: &'a str, place: &str) -> &'a str {
    let text = text.strip_prefix("panicked at ").unwrap_or(text);
    if let Some(rest) = text.strip_prefix(place) {
        return rest.strip_prefix(":\n").unwrap_or(rest);
    }
    let quoted = text
        .strip_suffix(place)
        .and_then(|rest| rest.strip_suffix(", "));
    let message = quoted.unwrap_or(text);
    message
        .strip_prefix('\'')
        .and_then(|rest| rest.strip_suffix('\''))
        .unwrap_or(message)
}

/// Reports what a panic hook is told.
#[cfg(feature = "std")]
macro_rules! report_info {
    ($info:expr) => {{
        let payload = $info.payload();
        let message = match payload.downcast_ref::<&str>() {
            Some(text) => text,
            None => payload
                .downcast_ref::<String>()
                .map_or("a panic with a value that isn't text", String::as_str),
        };
        let (file, line) = $info.location().map_or(("", 0), |l| (l.file(), l.line()));
        report(message, file, line);
    }};
}

/// Has panics reported from now on.
#[cfg(all(feature = "std", target_arch = "wasm32"))]
pub(crate) fn install() {
    std::panic::set_hook(Box::new(|info| report_info!(info)));
}

/// Has panics reported that happen while a test session calls the guest. All others
/// go where they went before.
#[cfg(all(feature = "std", not(target_arch = "wasm32")))]
pub(crate) fn install() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if host::is_present() {
                report_info!(info);
            } else {
                before(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::message;

    #[test]
    fn the_message_is_found_in_the_text_of_any_compiler() {
        for (text, want) in [
            ("panicked at src/lib.rs:3:5:\nit's broken", "it's broken"),
            ("panicked at src/lib.rs:3:5", ""),
            ("panicked at 'it's broken', src/lib.rs:3:5", "it's broken"),
            (
                "panicked at 'a', src/lib.rs:3:5', src/lib.rs:3:5",
                "a', src/lib.rs:3:5",
            ),
            ("something else", "something else"),
        ] {
            assert_eq!(message(text, "src/lib.rs:3:5"), want);
        }
    }
}
