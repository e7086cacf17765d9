//! What a panic that was caught says, for the log.

use std::any::Any;

/// The text of a panic.
#[must_use]
pub fn text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("without a text")
}
