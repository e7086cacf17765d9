//! The strips under the head: the template has changed, the list is locked, a draft, offline.
//!
//! Each says one thing and offers what can be done about it. The dry run of a refresh opens
//! here as well. Called by `control::view`.

use checklist_shared::checklist::Lock;
use checklist_shared::wire::list::TemplateUpdate;
use checklist_shared::wire::write::RefreshCase;
use leptos::prelude::*;

use super::element::{button, el, live};
use super::meta::moment;
use crate::control::Controller;
use crate::control::mode::Mode;
use crate::control::screen::{Review, Strip};
use crate::i18n::{Texts, fill, plural};
use crate::state::served::ServedChange;

/// All strips that apply.
#[must_use]
pub fn strips(controller: &Controller, mode: &Mode) -> AnyView {
    let screen = controller.screen();
    let (strip, review) = (screen.strip.clone(), screen.review.clone());
    let (controller, mode) = (controller.clone(), mode.clone());
    live(move || {
        let Strip { locked, update, offline, draft } = strip.get();
        let texts = mode.texts();
        let mut strips = Vec::new();
        if let Some(lock) = locked {
            strips.push(quiet(lock_sentence(&lock, &mode)));
        }
        if offline {
            strips.push(quiet(texts.offline.to_owned()));
        }
        if draft {
            strips.push(quiet(texts.draft.to_owned()));
        }
        if let Some(update) = update.filter(|_| mode.refresh) {
            review.with(|review| template_changed(&controller, &mode, update, review, &mut strips));
        }
        strips.into_any()
    })
}

fn quiet(sentence: String) -> AnyView {
    el("div").class("strip quiet").part("strip").el(el("p").class("strip-text").attr("dir", "auto").text(sentence)).view()
}

fn lock_sentence(lock: &Lock, mode: &Mode) -> String {
    let texts = mode.texts();
    let when = moment(lock.at, mode);
    let reason = lock.reason.as_deref().unwrap_or_default();
    let text = if reason.is_empty() { texts.locked } else { texts.locked_because };
    fill(text, &[("who", &lock.by.name), ("when", &when), ("reason", reason)])
}

fn template_changed(
    controller: &Controller,
    mode: &Mode,
    update: TemplateUpdate,
    review: &Review,
    strips: &mut Vec<AnyView>,
) {
    let texts = mode.texts();
    match review {
        Review::NotNow(version) if *version == update.to_version => {}
        Review::Shown(changes, revision) => strips.push(dry_run(controller, mode, update, changes, *revision)),
        _ => {
            let parts: Vec<String> =
                [(&texts.new, update.added), (&texts.changed, update.changed), (&texts.removed, update.removed)]
                    .into_iter()
                    .filter(|(_, n)| *n > 0)
                    .map(|(text, n)| plural(mode.language, text, n, &[]))
                    .collect();
            let asking = controller.clone();
            let strip = el("div")
                .class("strip")
                .part("strip")
                .el(el("p").class("strip-text").text(fill(texts.template_changed, &[("parts", &parts.join(", "))])))
                .el(el("div").class("actions").el(button("button", texts.review, move |_| asking.review())));
            strips.push(strip.view());
        }
    }
}

fn dry_run(
    controller: &Controller,
    mode: &Mode,
    update: TemplateUpdate,
    changes: &[ServedChange],
    revision: u64,
) -> AnyView {
    let texts = mode.texts();
    let rows = changes.iter().map(|change| change_row(change, texts)).collect();
    let list = if changes.is_empty() {
        el("p").text(texts.nothing_new)
    } else {
        el("ul").class("review-list").children(rows)
    };
    let (applying, review) = (controller.clone(), controller.screen().review.clone());
    let leaving = controller.clone();
    el("section")
        .class("review")
        .part("review")
        .attr("tabindex", "-1")
        .attr("aria-labelledby", controller.dom_id("review"))
        .el(el("h3").class("review-title").attr("id", controller.dom_id("review")).text(texts.review_title))
        .el(list)
        .el(el("div")
            .class("actions")
            .el(button("button primary", texts.apply, move |_| applying.apply_refresh(revision)))
            .el(button("button", texts.not_now, move |_| {
                review.set(Review::NotNow(update.to_version));
                leaving.focus_first_open();
            })))
        .view()
}

fn change_row(change: &ServedChange, texts: &'static Texts) -> AnyView {
    let case = match change.case {
        RefreshCase::Added | RefreshCase::Resurrected => texts.case_added,
        RefreshCase::Updated => texts.case_changed,
        RefreshCase::ChangedSinceChecked => texts.case_flagged,
        RefreshCase::Reopened | RefreshCase::NotApplicableNoLongerAllowed => texts.case_reopened,
        RefreshCase::TextKept => texts.case_kept,
        RefreshCase::Removed => texts.case_removed,
        RefreshCase::Retired => texts.case_retired,
        RefreshCase::Returned => texts.case_returned,
        RefreshCase::Moved => texts.case_moved,
    };
    let text = match (&change.before, &change.after) {
        (Some(before), Some(after)) if before != after => {
            fill(texts.becomes, &[("before", before), ("after", after)])
        }
        (Some(text), _) | (None, Some(text)) => fill(texts.quoted, &[("text", text)]),
        (None, None) => String::new(),
    };
    el("li")
        .class("change")
        .el(el("span").class("change-case").text(case))
        .el(el("bdi").class("change-text").text(text))
        .view()
}
