//! What an outcome has to be before the host takes it.

use alloc::format;

use crate::abi::{Content, Method, Outcome, OutcomeKind, Value, MAX_DEPTH};
use crate::{Call, Error, Result};

/// Makes an outcome one that the host takes: content over the inline limit is moved
/// into blobs. It fails when the outcome isn't one of the call's method, or holds
/// what can't be sent.
pub(crate) fn prepare(outcome: &mut Outcome, call: &Call<'_>) -> Result<()> {
    if let Outcome::Error(e) = outcome {
        if e.code.is_empty() {
            return Err(Error::failure(
                "the handler returned a sandbox error without a code",
            ));
        }
        if e.context
            .iter()
            .any(|(_, value)| Value::depth(value) > MAX_DEPTH)
        {
            return Err(Error::failure(
                "the context of the sandbox error is nested too deeply",
            ));
        }
        return Ok(());
    }
    fits(outcome, call.method())?;
    outcome.each_content(|content| send(content, call))
}

fn fits(outcome: &Outcome, method: Method) -> Result<()> {
    let (is, want) = (outcome.kind(), OutcomeKind::of(method));
    if is == want {
        return Ok(());
    }
    Err(Error::failure(format!(
        "the handler returned {is}, {method} wants {want}"
    )))
}

fn send(content: &mut Content<'static>, call: &Call<'_>) -> Result<()> {
    match content.blob() {
        Some(blob) if blob.made_in != call.number => {
            return Err(Error::failure(
                "the content belongs to a call that has ended",
            ));
        }
        Some(_) => return Ok(()),
        None => {}
    }
    if content.len() > call.limits().inline_bytes {
        let mut writer = call.writer();
        writer.write(content.inline().unwrap_or_default())?;
        *content = writer.finish()?;
    }
    Ok(())
}
