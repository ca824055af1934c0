//! Calls and configurations as text.

use std::fmt::Display;

use wasmsandbox::{Call, Request, Settings, Shell, Value};

/// Lines of the form `name=value`.
#[derive(Default)]
struct Lines(Vec<u8>);

impl Lines {
    fn bytes(&mut self, name: &str, value: &[u8]) {
        self.0.extend_from_slice(name.as_bytes());
        self.0.push(b'=');
        self.0.extend_from_slice(value);
        self.0.push(b'\n');
    }

    fn number(&mut self, name: &str, value: &dyn Display) {
        self.bytes(name, value.to_string().as_bytes());
    }

    fn flag(&mut self, name: &str, value: bool) {
        self.bytes(name, if value { b"1" } else { b"0" });
    }

    fn list(&mut self, name: &str, values: &[&[u8]]) {
        for (i, value) in values.iter().enumerate() {
            self.bytes(&format!("{name}[{i}]"), value);
        }
    }

    fn shell(&mut self, shell: &Shell) {
        self.number("shell.mode", &(shell.mode as u8));
        self.list("shell.argv", &shell.argv);
    }
}

/// One line for each field of a call.
pub fn call(call: &Call) -> Vec<u8> {
    let mut lines = Lines::default();
    lines.bytes("method", call.method().name().as_bytes());
    lines.number("index", &call.index());
    lines.number("time_ns", &call.time_ns());
    request(&mut lines, call.request());
    lines.0
}

fn request(lines: &mut Lines, request: &Request) {
    match request {
        Request::ApplyPatch(req) => {
            for (i, op) in req.operations.iter().enumerate() {
                let name = |field: &str| format!("operations[{i}].{field}");
                lines.bytes(&name("type"), op.kind.as_bytes());
                lines.bytes(&name("path"), op.path);
                if let Some(diff) = op.diff {
                    lines.bytes(&name("diff"), diff);
                }
                if let Some(path) = op.move_to {
                    lines.bytes(&name("move_to"), path);
                }
            }
            lines.bytes("patch_format", req.patch_format.as_bytes());
        }
        Request::Exec(req) => {
            lines.list("command", &req.command);
            lines.number("timeout_ns", &req.timeout_ns);
            lines.shell(&req.shell);
            lines.bytes("user", req.user.as_bytes());
        }
        Request::Ls(req) => {
            lines.bytes("path", req.path);
            lines.bytes("user", req.user.as_bytes());
        }
        Request::Mkdir(req) => {
            lines.bytes("path", req.path);
            lines.flag("parents", req.parents);
            lines.bytes("user", req.user.as_bytes());
        }
        Request::PtyExecStart(req) => {
            lines.list("command", &req.command);
            lines.number("timeout_ns", &req.timeout_ns);
            lines.shell(&req.shell);
            lines.bytes("user", req.user.as_bytes());
            lines.flag("tty", req.tty);
            lines.number("yield_time_ns", &req.yield_time_ns);
            lines.number("max_output_tokens", &req.max_output_tokens);
        }
        Request::PtyWriteStdin(req) => {
            lines.number("session_id", &req.session_id);
            lines.bytes("chars", req.chars);
            lines.number("yield_time_ns", &req.yield_time_ns);
            lines.number("max_output_tokens", &req.max_output_tokens);
        }
        Request::Read(req) => {
            lines.bytes("path", req.path);
            lines.bytes("user", req.user.as_bytes());
        }
        Request::Rm(req) => {
            lines.bytes("path", req.path);
            lines.flag("recursive", req.recursive);
            lines.bytes("user", req.user.as_bytes());
        }
        Request::Write(req) => {
            lines.bytes("path", req.path);
            lines.number("data.size", &req.data.content.len());
            lines.number("data.position", &req.data.position);
            lines.flag("data.text", req.data.text);
            lines.bytes("user", req.user.as_bytes());
        }
    }
}

/// One line for each entry of a configuration.
pub fn config(config: &Settings) -> String {
    let mut text = String::new();
    for (key, v) in config.iter() {
        text += key;
        text.push('=');
        value(&mut text, v);
        text.push('\n');
    }
    text
}

fn value(text: &mut String, v: &Value) {
    match v {
        Value::Null => text.push_str("null"),
        Value::Bool(b) => text.push_str(if *b { "true" } else { "false" }),
        Value::Int(n) => text.push_str(&n.to_string()),
        Value::Text(s) => {
            text.push('"');
            text.push_str(s);
            text.push('"');
        }
        Value::Bytes(bytes) => {
            text.push_str("0x");
            text.push_str(&hex(bytes));
        }
        Value::List(values) => {
            text.push('[');
            for (i, v) in values.iter().enumerate() {
                if i > 0 {
                    text.push(',');
                }
                value(text, v);
            }
            text.push(']');
        }
        Value::Map(map) => {
            text.push('{');
            for (i, (key, v)) in map.iter().enumerate() {
                if i > 0 {
                    text.push(',');
                }
                text.push_str(key);
                text.push('=');
                value(text, v);
            }
            text.push('}');
        }
    }
}

/// Bytes in lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from(b"0123456789abcdef"[usize::from(digit)]));
        }
    }
    text
}
