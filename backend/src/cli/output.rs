//! What commands write to stdout.
//!
//! Invariant: a reader that has gone away (`| head`) is no failure.

use std::io::Write as _;

use serde::Serialize;

use crate::config::{Exit, StartupError};

/// An answer as the web services give it.
pub(super) fn print(answer: &impl Serialize) -> Result<(), StartupError> {
    let text = serde_json::to_string_pretty(answer).map_err(|error| {
        StartupError::new(
            Exit::Failed,
            format!("The answer cannot be written: {error}."),
            "This is a fault of the server.",
        )
    })?;
    say(&text);
    Ok(())
}

/// A line on stdout.
pub(super) fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
