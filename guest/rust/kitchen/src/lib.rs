//! The kitchen-sink guest: it uses all of the ABI, for the conformance suite.
#![forbid(unsafe_code)]

mod matchers;
mod render;
mod responders;
mod results;
mod store;

use wasmsandbox::{Error, Guest, Session};

wasmsandbox::export!(guest);

/// The guest with all its handlers.
pub fn guest() -> Guest {
    let guest = Guest::new("kitchen-sink", "1.0.0")
        .config_schema(r#"{"type":"object"}"#)
        .on_open(check_depth);
    matchers::register(responders::register(results::register(guest)))
        .responder("store", store::Store::default())
}

fn check_depth(session: &Session) -> wasmsandbox::Result<()> {
    // A depth of another type isn't looked at.
    match session.config().get("depth") {
        Some(wasmsandbox::Value::Int(depth)) if *depth > 9 => {
            Err(Error::bad_config("depth is at most 9"))
        }
        _ => Ok(()),
    }
}
