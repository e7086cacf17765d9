//! The head of a list: its name, how far it is, the last step back.
//!
//! The count is what the whole group is described by, so it is a sentence. Called by
//! `control::view`.

use checklist_shared::progress::State;

use super::at::At;
use super::element::{El, View, el, nothing, slot};
use super::icon::{UNDO, icon};
use super::people::people;
use crate::control::screen::{Face, Summary};
use crate::i18n::{Words, fill};

/// The head.
#[must_use]
pub fn header(at: At, face: &Face) -> View {
    let summary = &face.summary;
    let texts = at.texts();
    let title = at.controller.dom_id("title");
    let name = summary
        .title
        .clone()
        .unwrap_or_else(|| texts.checklist().to_owned());
    let sentence = count_sentence(summary, at.mode.words);
    let percent = percent(summary);
    let progress = el("div|progress|role=progressbar|aria-valuemin=0|aria-valuemax=100")
        .attr("aria-labelledby", title.clone())
        .attr("aria-valuenow", percent);
    let progress = if sentence.is_empty() {
        progress
    } else {
        progress.attr("aria-valuetext", sentence.clone())
    };
    // What stands at the head: "3 of 5 done", or "Completed".
    let count = match summary.state {
        State::Complete => texts.completed().to_owned(),
        _ => sentence,
    };
    // What a host puts into the slots wins; outside of a shadow root they show what they hold.
    // Said here and not by the card: what depends on a class of the card has the browser look at
    // every row.
    el("header|part=header")
        .class(match summary.state {
            State::Complete => "header complete",
            _ => "header",
        })
        .el(el("div|class=top")
            .el(el("h2|title")
                .attr("id", title)
                .el(slot("label").el(el("bdi").text(name))))
            .el(el("div|class=tools")
                .child(people(at, &face.others))
                .child(undo(at, summary.can_undo))
                .el(el("p|count")
                    .attr("id", at.controller.dom_id("count"))
                    .text(count))))
        .el(slot("description"))
        .el(progress.el(bar(summary)))
        .view()
}

fn undo(at: At, can_undo: bool) -> View {
    let mode = at.mode;
    if !(mode.check || mode.edit || mode.add || mode.delete || mode.reorder) {
        return nothing();
    }
    let label = at.texts().undo();
    el("button|type=button|class=button icon plain undo|aria-keyshortcuts=Control+Z")
        .fixed("aria-label", label)
        .fixed("title", label)
        // Not `hidden`: a button that comes and goes takes the focus with it when it goes.
        .says_true("aria-disabled", !can_undo)
        .on("click", at, |at, _| at.controller.undo())
        .child(icon(UNDO))
        .view()
}

/// The count as it is read out; complete lists say both.
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
    }
}

/// The bar in its track.
#[must_use]
pub fn bar(summary: &Summary) -> El {
    // Wide by an attribute: pages that allow no inline styles have servers draw it too.
    el("svg|progress-bar|aria-hidden=true").attr("width", [&percent(summary), "%"].concat())
}

/// How much is done in a hundred.
fn percent(summary: &Summary) -> String {
    let counts = &summary.counts;
    let share = match (summary.state, counts.total - counts.not_applicable) {
        // Everything not applicable is complete too.
        (State::Complete, _) => 100,
        (_, 0) => 0,
        (_, all) => counts.done * 100 / all,
    };
    share.to_string()
}
