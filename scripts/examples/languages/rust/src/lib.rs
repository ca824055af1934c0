//! Knows what has changed.

use wasmsandbox::{Call, Guest, Method, Request, Result, Stream, Verdict};

wasmsandbox::export!(guest);

const CHANGES: [(&str, &str); 2] = [("1.5.0", "faster"), ("1.4.2", "fewer surprises")];

fn guest() -> Guest {
    Guest::new("changes", "1.0.0")
        .matcher("markdown", &[Method::Read], markdown)
        .read("changelog", |_call, _request| {
            let mut text = String::from("# Changes\n\n");
            for (version, what) in CHANGES {
                text += &format!("- {version}: {what}\n");
            }
            Ok(Stream::text(text))
        })
}

/// Takes only files that end in ".md".
fn markdown(call: &Call) -> Result<Verdict> {
    match call.request() {
        Request::Read(request) if request.path.ends_with(b".md") => Ok(Verdict::accept()),
        _ => Ok(Verdict::reject("not a Markdown file")),
    }
}
