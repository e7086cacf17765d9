//! The strips below the header: the template has changed, the list is read-only and why, a
//! draft, offline.
//!
//! Each says one thing and offers an action. The review of a refresh opens here as well.

use checklist_shared::checklist::ListMark;
use checklist_shared::wire::list::TemplateUpdate;
use checklist_shared::wire::write::{RefreshCase, RefreshChange};

use leptos::prelude::*;

use super::at::ViewContext;
use super::button::Button;
use super::late::views;
use super::waiver;
use crate::i18n::actor::name_of;
use crate::i18n::{Texts, fill, plural};
use crate::model::message::UserAction;
use crate::model::mode::Access;
use crate::screen::Review;
use crate::wording::moment;

/// All strips that apply.
#[component]
pub fn Strips(
    /// The control, and its row if there is one.
    at: ViewContext,
) -> impl IntoView {
    at.live(strips)
}

fn strips(at: ViewContext) -> AnyView {
    at.follow_card();
    let (strip, review) = at.card(|card| (card.strip.clone(), card.review.clone()));
    let mode = at.mode();
    let texts = mode.texts();
    let lock = match (strip.locked, mode.access) {
        (Some(lock), _) => Some(lock_sentence(
            &lock,
            at.controller.closed_run().is_some(),
            at,
        )),
        (None, Access::Disabled) => Some(texts.disabled().to_owned()),
        (None, Access::ReadOnly) => Some(texts.read_only().to_owned()),
        (None, Access::Reader) => Some(texts.may_only_read().to_owned()),
        (None, Access::Open) => None,
    };
    let lock = lock.map(quiet);
    let waived = strip.waived.as_ref();
    let waived = waived.map(|waived| waiver::strip(at, waived));
    let offline = (!strip.sending.is_empty()).then(|| quiet(strip.sending));
    let draft = strip.draft.then(|| quiet(texts.draft().to_owned()));
    let update = strip.update.filter(|_| mode.refresh);
    let update = update.and_then(|update| (views()?.template)(at, review, update));
    view! { <div>{waived} {lock} {offline} {draft} {update}</div> }.into_any()
}

fn quiet(sentence: String) -> AnyView {
    view! {
        <div class="strip quiet" part="strip">
            <p class="strip-text">{sentence}</p>
        </div>
    }
    .into_any()
}

/// Who has locked the list, or closed its run.
fn lock_sentence(lock: &ListMark, is_closed_run: bool, at: ViewContext) -> String {
    let texts = at.texts();
    let when = moment(lock.at, at.mode());
    let reason = lock.reason.as_deref().unwrap_or_default();
    let who = name_of(&lock.by, texts);
    let text = match (is_closed_run, reason.is_empty()) {
        (true, true) => texts.run_closed(),
        (true, false) => texts.run_closed_because(),
        (false, true) => texts.locked(),
        (false, false) => texts.locked_because(),
    };
    fill(text, &[("who", &who), ("when", &when), ("reason", reason)])
}

pub(super) fn template_changed(
    at: ViewContext,
    review: Review,
    update: TemplateUpdate,
) -> Option<AnyView> {
    let texts = at.texts();
    match review {
        Review::NotNow(version) if version == update.to_version => None,
        Review::Shown(changes, _) => Some(dry_run(at.number(update.to_version), &changes)),
        _ => {
            let mut parts = String::new();
            for (text, n) in [
                (texts.some_new(), update.added),
                (texts.some_changed(), update.changed),
                (texts.some_removed(), update.removed),
            ] {
                if n > 0 {
                    parts.push_str(if parts.is_empty() { "" } else { texts.comma() });
                    parts.push_str(&plural(at.mode().words, text, n, &[]));
                }
            }
            // Without a newer version it is the facts of the object that would change something.
            let sentence = if update.from_version == update.to_version {
                texts.facts_changed()
            } else {
                texts.template_changed()
            };
            let sentence = fill(sentence, &[("parts", &parts)]);
            let strip = view! {
                <div class="strip" part="strip">
                    <p class="strip-text">{sentence}</p>
                    <div class="actions">
                        <Button
                            class="button"
                            label=texts.review()
                            at
                            act=|at, _| at.controller.does(UserAction::Review)
                        />
                    </div>
                </div>
            };
            Some(strip.into_any())
        }
    }
}

/// The changes of a dry run; `at.number` is the template version.
fn dry_run(at: ViewContext, changes: &[RefreshChange]) -> AnyView {
    let texts = at.texts();
    let title = at.controller.dom_id("review");
    let named = title.clone();
    let list = if changes.is_empty() {
        view! { <p>{texts.nothing_new()}</p> }.into_any()
    } else {
        let changes = changes.iter().map(|change| change_row(change, texts));
        let changes: Vec<_> = changes.collect();
        view! { <ul class="review-list">{changes}</ul> }.into_any()
    };
    view! {
        <section class="review" part="review" tabindex="-1" aria-labelledby=named>
            <h3 class="review-title" id=title>
                {texts.review_title()}
            </h3>
            {list}
            <div class="actions">
                <Button
                    class="button primary"
                    label=texts.apply()
                    at
                    act=|at, _| at.controller.does(UserAction::ApplyRefresh)
                />
                <Button class="button" label=texts.not_now() at act=|at, _| not_now(at) />
            </div>
        </section>
    }
    .into_any()
}

fn not_now(at: ViewContext) {
    at.show(|card| card.review = Review::NotNow(at.number));
    at.controller.focus_first_open();
}

fn change_row(change: &RefreshChange, texts: &'static Texts) -> AnyView {
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
    view! {
        <li class="change">
            <span class="change-case">{case}</span>
            <bdi class="change-text">{text}</bdi>
        </li>
    }
    .into_any()
}
