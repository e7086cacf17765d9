//! The strips under the head: the template has changed, the list is locked, a draft, offline.
//!
//! Each says one thing and offers what can be done about it. The dry run of a refresh opens
//! here as well. Called by `control::view`.

use checklist_shared::checklist::Lock;
use checklist_shared::wire::list::TemplateUpdate;
use checklist_shared::wire::write::RefreshCase;

use super::at::At;
use super::element::{El, View, button, el};
use super::meta::moment;
use crate::control::screen::{Face, Review};
use crate::i18n::{Texts, fill, plural};
use crate::state::served::ServedChange;

/// All strips that apply.
#[must_use]
pub fn strips(at: At, face: &Face) -> El {
    let strip = &face.strip;
    let texts = at.texts();
    let mut strips = el("div");
    if let Some(lock) = &strip.locked {
        strips = strips.el(quiet(lock_sentence(lock, at)));
    }
    if strip.offline {
        strips = strips.el(quiet(texts.offline().to_owned()));
    }
    if strip.draft {
        strips = strips.el(quiet(texts.draft().to_owned()));
    }
    match strip.update.filter(|_| at.mode.refresh) {
        Some(update) => strips.maybe(template_changed(at, &face.review, update)),
        None => strips,
    }
}

fn quiet(sentence: String) -> El {
    el("div|class=strip quiet|part=strip").el(el("p|class=strip-text").text(sentence))
}

fn lock_sentence(lock: &Lock, at: At) -> String {
    let texts = at.texts();
    let when = moment(lock.at, at.mode);
    let reason = lock.reason.as_deref().unwrap_or_default();
    let text = if reason.is_empty() {
        texts.locked()
    } else {
        texts.locked_because()
    };
    fill(
        text,
        &[("who", &lock.by.name), ("when", &when), ("reason", reason)],
    )
}

fn template_changed(at: At, review: &Review, update: TemplateUpdate) -> Option<El> {
    let texts = at.texts();
    match review {
        Review::NotNow(version) if *version == update.to_version => None,
        Review::Shown(changes, _) => Some(dry_run(at.number(update.to_version), changes)),
        _ => {
            let mut parts = String::new();
            for (text, n) in [
                (texts.some_new(), update.added),
                (texts.some_changed(), update.changed),
                (texts.some_removed(), update.removed),
            ] {
                if n > 0 {
                    parts.push_str(if parts.is_empty() { "" } else { texts.comma() });
                    parts.push_str(&plural(at.mode.words, text, n, &[]));
                }
            }
            let strip = el("div|strip")
                .el(el("p|class=strip-text")
                    .text(fill(texts.template_changed(), &[("parts", &parts)])))
                .el(
                    el("div|class=actions").el(button("button", texts.review(), at, |at, _| {
                        at.controller.review()
                    })),
                );
            Some(strip)
        }
    }
}

/// What would change; the place carries the version.
fn dry_run(at: At, changes: &[ServedChange]) -> El {
    let texts = at.texts();
    let title = at.controller.dom_id("review");
    let list = if changes.is_empty() {
        el("p").text(texts.nothing_new())
    } else {
        el("ul|class=review-list").children(
            changes
                .iter()
                .map(|change| change_row(change, texts))
                .collect(),
        )
    };
    el("section|review|tabindex=-1")
        .attr("aria-labelledby", title.clone())
        .el(el("h3|class=review-title")
            .attr("id", title)
            .text(texts.review_title()))
        .el(list)
        .el(el("div|class=actions")
            .el(button("button primary", texts.apply(), at, |at, _| {
                at.controller.apply_refresh()
            }))
            .el(button("button", texts.not_now(), at, |at, _| {
                at.show(|face| face.review = Review::NotNow(at.number));
                at.controller.focus_first_open();
            })))
}

fn change_row(change: &ServedChange, texts: &'static Texts) -> View {
    let case = match change.case {
        RefreshCase::Added | RefreshCase::Resurrected => texts.case_added(),
        RefreshCase::Updated => texts.case_changed(),
        RefreshCase::ChangedSinceChecked => texts.case_flagged(),
        RefreshCase::Reopened | RefreshCase::NotApplicableNoLongerAllowed => texts.case_reopened(),
        RefreshCase::TextKept => texts.case_kept(),
        RefreshCase::Removed => texts.case_removed(),
        RefreshCase::Retired => texts.case_retired(),
        RefreshCase::Returned => texts.case_returned(),
        RefreshCase::Moved => texts.case_moved(),
    };
    let text = match (&change.before, &change.after) {
        (Some(before), Some(after)) if before != after => {
            fill(texts.becomes(), &[("before", before), ("after", after)])
        }
        (Some(text), _) | (None, Some(text)) => fill(texts.quoted(), &[("text", text)]),
        (None, None) => String::new(),
    };
    el("li|class=change")
        .el(el("span|class=change-case").text(case))
        .el(el("bdi|class=change-text").text(text))
        .view()
}
