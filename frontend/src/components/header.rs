//! The head of a list: its name, how far it is, the last step back.
//!
//! The count is what the whole group is described by, so it is a sentence. Called by
//! `control::view`.

use checklist_shared::progress::State;
use leptos::prelude::*;

use super::at::At;
use super::element::{el, nothing, slot};
use super::icon::{UNDO, icon};
use crate::control::screen::Summary;
use crate::i18n::{Language, fill};

/// The head.
#[must_use]
pub fn header(at: At) -> AnyView {
    let title = at.controller.dom_id("title");
    // What a host puts into the slots wins; outside of a shadow root they show what they hold.
    el("header")
        .class("header")
        .part("header")
        .el(el("div")
            .class("top")
            .el(el("h2")
                .class("title")
                .part("title")
                .attr("id", title.clone())
                .el(slot("label").el(el("bdi").live_text(at, name))))
            .el(el("div").class("tools").child(undo(at)).el(el("p")
                .class("count")
                .part("count")
                .attr("id", at.controller.dom_id("count"))
                .live_text(at, count))))
        .el(slot("description"))
        .el(el("div")
            .class("progress")
            .part("progress")
            .attr("role", "progressbar")
            .attr("aria-labelledby", title)
            .attr("aria-valuemin", "0")
            .attr("aria-valuemax", "100")
            .live_attr("aria-valuenow", at, |at| Some(percent(at)))
            .live_attr("aria-valuetext", at, |at| {
                Some(sentence(at)).filter(|count| !count.is_empty())
            })
            .el(el("div")
                .class("progress-bar")
                .part("progress-bar")
                .live_style("--done", at, |at| {
                    let mut width = percent(at);
                    width.push('%');
                    width
                })))
        .view()
}

fn name(at: At) -> String {
    at.screen()
        .summary
        .with(|summary| summary.title.clone())
        .unwrap_or_else(|| at.texts().checklist.to_owned())
}

fn undo(at: At) -> AnyView {
    let mode = at.mode;
    if !(mode.check || mode.edit || mode.add || mode.delete || mode.reorder) {
        return nothing();
    }
    let label = at.texts().undo;
    el("button")
        .attr("type", "button")
        .class("button icon plain undo")
        .attr("aria-label", label)
        .attr("title", label)
        .attr("aria-keyshortcuts", "Control+Z")
        // Not `hidden`: a button that comes and goes takes the focus with it when it goes.
        .live_attr("aria-disabled", at, |at| {
            at.screen()
                .summary
                .with(|summary| (!summary.can_undo).then(|| "true".to_owned()))
        })
        .on("click", at, |at, _| at.controller.undo())
        .child(icon(UNDO))
        .view()
}

/// What stands at the head: "3 of 5 done", or "Completed".
fn count(at: At) -> String {
    at.screen().summary.with(|summary| match summary.state {
        State::Complete => at.texts().completed.to_owned(),
        _ => count_sentence(summary, at.mode.language),
    })
}

fn sentence(at: At) -> String {
    at.screen()
        .summary
        .with(|summary| count_sentence(summary, at.mode.language))
}

/// The count as it is read out; complete lists say both.
#[must_use]
pub fn count_sentence(summary: &Summary, language: Language) -> String {
    let texts = language.texts();
    let counts = &summary.counts;
    let all = (counts.total - counts.not_applicable).to_string();
    let count = fill(
        texts.done_of,
        &[("done", &counts.done.to_string()), ("total", &all)],
    );
    match summary.state {
        State::Unknown | State::Empty => String::new(),
        State::Open => count,
        State::Complete => [&count, ". ", texts.completed].concat(),
    }
}

fn percent(at: At) -> String {
    let share = at.screen().summary.with(|summary| {
        let counts = &summary.counts;
        match (summary.state, counts.total - counts.not_applicable) {
            // Everything not applicable is complete too.
            (State::Complete, _) => 100,
            (_, 0) => 0,
            (_, all) => counts.done * 100 / all,
        }
    });
    share.to_string()
}
