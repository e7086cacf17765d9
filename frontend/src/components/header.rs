//! The head of a list: its name, how far it is, the last step back.
//!
//! The count is what the whole group is described by, so it is a sentence. Called by
//! `control::view`.

use checklist_shared::progress::State;
use leptos::prelude::*;

use super::element::{El, el, slot};
use super::icon::{UNDO, icon};
use crate::control::Controller;
use crate::control::mode::Mode;
use crate::control::screen::Summary;
use crate::i18n::{Language, fill};

/// The head.
#[must_use]
pub fn header(controller: &Controller, mode: &Mode) -> AnyView {
    let texts = mode.texts();
    let language = mode.language;
    let summary = &controller.screen().summary;
    let (named, counted, told, bar) = (summary.clone(), summary.clone(), summary.clone(), summary.clone());
    el("header")
        .class("header")
        .part("header")
        .el(el("div")
            .class("top")
            .el(el("h2").class("title").part("title").attr("id", controller.dom_id("title")).el(
                // What a host puts here wins; outside of a shadow root a slot shows what it holds.
                slot("label").el(el("bdi").live_text(move || {
                    named.with(|summary| summary.title.clone().unwrap_or_else(|| texts.checklist.to_owned()))
                })),
            ))
            .el(el("div")
                .class("tools")
                .child(undo(controller, mode))
                .el(el("p").class("count").part("count").attr("id", controller.dom_id("count")).live_text(move || {
                    counted.with(|summary| count_text(summary, language))
                }))))
        .el(slot("description"))
        .el(el("div")
            .class("progress")
            .part("progress")
            .attr("role", "progressbar")
            .attr("aria-labelledby", controller.dom_id("title"))
            .attr("aria-valuemin", "0")
            .attr("aria-valuemax", "100")
            .live_attr("aria-valuenow", move || Some(bar.with(percent)))
            .live_attr("aria-valuetext", move || {
                Some(told.with(|summary| count_sentence(summary, language))).filter(|count| !count.is_empty())
            })
            .el(progress_bar(controller)))
        .view()
}

fn progress_bar(controller: &Controller) -> El {
    let summary = controller.screen().summary.clone();
    el("div").class("progress-bar").part("progress-bar").live_style("--done", move || {
        let mut width = summary.with(percent);
        width.push('%');
        width
    })
}

fn undo(controller: &Controller, mode: &Mode) -> AnyView {
    if !(mode.check || mode.edit || mode.add || mode.delete || mode.reorder) {
        return super::element::nothing();
    }
    let label = mode.texts().undo;
    let (shown, acting) = (controller.screen().summary.clone(), controller.clone());
    el("button")
        .attr("type", "button")
        .class("button icon plain undo")
        .attr("aria-label", label)
        .attr("title", label)
        .attr("aria-keyshortcuts", "Control+Z")
        // Not `hidden`: a button that comes and goes takes the focus with it when it goes.
        .live_attr("aria-disabled", move || shown.with(|summary| (!summary.can_undo).then(|| "true".to_owned())))
        .on("click", move |_| acting.undo())
        .child(icon(UNDO))
        .view()
}

/// What stands at the head: "3 of 5 done", or "Completed".
fn count_text(summary: &Summary, language: Language) -> String {
    match summary.state {
        State::Unknown | State::Empty => String::new(),
        State::Complete => language.texts().completed.to_owned(),
        State::Open => count_sentence(summary, language),
    }
}

/// The count as it is read out; complete lists say both.
#[must_use]
pub fn count_sentence(summary: &Summary, language: Language) -> String {
    let texts = language.texts();
    let counts = &summary.counts;
    let all = (counts.total - counts.not_applicable).to_string();
    let count = fill(texts.done_of, &[("done", &counts.done.to_string()), ("total", &all)]);
    match summary.state {
        State::Unknown | State::Empty => String::new(),
        State::Open => count,
        State::Complete => [&count, ". ", texts.completed].concat(),
    }
}

fn percent(summary: &Summary) -> String {
    let counts = &summary.counts;
    let all = counts.total - counts.not_applicable;
    let share = match (summary.state, all) {
        // Everything not applicable is complete too.
        (State::Complete, _) => 100,
        (_, 0) => 0,
        (_, all) => counts.done * 100 / all,
    };
    share.to_string()
}
