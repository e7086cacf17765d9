//! Sentences about the whole list: how much is done, and what is still open.

use checklist_shared::progress::State;

use super::view_data::Summary;
use crate::i18n::{Words, fill, plural};

/// How much is done, in a sentence; empty where there is nothing to do.
#[must_use]
pub fn count_sentence(summary: &Summary, words: Words) -> String {
    let texts = words.texts;
    let counts = &summary.counts;
    let all = words.number(counts.total - counts.not_applicable);
    let count = fill(
        texts.done_of(),
        &[("done", &words.number(counts.done)), ("total", &all)],
    );
    match summary.state {
        State::Unknown | State::Empty => String::new(),
        State::Open => count,
        State::Complete => [&count, ". ", texts.completed()].concat(),
        State::Waived => [&count, ". ", texts.waived()].concat(),
    }
}

/// A sentence about what is still open: "2 items still open: gateway logs, workaround".
#[must_use]
pub fn open_items_sentence(summary: &Summary, words: Words) -> String {
    /// More names than these are no longer read.
    const NAMED: usize = 3;
    if summary.state != State::Open {
        return String::new();
    }
    let texts = words.texts;
    let named: Vec<String> = summary
        .blockers
        .iter()
        .take(NAMED)
        .map(|(_, text)| truncate(text))
        .collect();
    let mut names = named.join(texts.semicolon());
    let more = summary.blocking.saturating_sub(NAMED as u32);
    if more > 0 {
        names = fill(
            texts.and_more(),
            &[("names", &names), ("n", &words.number(more))],
        );
    }
    plural(
        words,
        texts.still_open(),
        summary.blocking,
        &[("names", &names)],
    )
}

/// A text, shortened to fit into a list of texts.
fn truncate(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => [text.get(..at).unwrap_or(text).trim_end(), "…"].concat(),
        None => text.to_owned(),
    }
}
