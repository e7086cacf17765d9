//! The history of an item: who changed it, when, and the values before and after.
//!
//! Opens in the row, from the menu; Escape closes it and returns the focus to the row.

use checklist_shared::event::What;
use checklist_shared::wire::history::ItemHistoryEntry;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, KeyboardEvent};

use super::at::ViewContext;
use super::button::Button;
use super::menu::label_with_text;
use super::meta::due_text;
use crate::i18n::actor::name_of;
use crate::i18n::{Texts, fill};
use crate::model::history::{History, HistoryRest};
use crate::model::message::UserAction;
use crate::model::mode::Mode;
use crate::wording::moment;

/// The history of the row's item.
#[component]
pub fn ItemHistory(
    /// The control, and its row if there is one.
    at: ViewContext,
    /// The loaded entries.
    history: History,
) -> impl IntoView {
    let texts = at.texts();
    let mode = at.mode();
    let entries: Vec<_> = history.entries.iter().map(|one| entry(one, mode)).collect();
    let is_empty = entries.is_empty();
    let list = (!is_empty)
        .then(|| view! { <ol class="history-list" role="list">{entries}</ol> }.into_any());
    let more = |label: &'static str| {
        let act: fn(ViewContext, &Event) = |at, _| at.does(UserAction::MoreHistory);
        view! { <Button class="button" label at act /> }.into_any()
    };
    let (sentence, again) = match &history.rest {
        HistoryRest::Loading => (texts.history_loading().to_owned(), None),
        HistoryRest::Nothing if is_empty => (texts.history_empty().to_owned(), None),
        HistoryRest::Nothing => (String::new(), None),
        HistoryRest::Older(_) => (String::new(), Some(more(texts.history_more()))),
        HistoryRest::Failed(refusal, _) => {
            let sentence = [texts.history_failed(), &refusal.sentence(texts)].join(" ");
            (sentence, Some(more(texts.try_again())))
        }
    };
    let rest = (!sentence.is_empty()).then(|| view! { <p class="hint">{sentence}</p> }.into_any());
    view! {
        <div
            class="history"
            part="history"
            role="group"
            aria-label=label_with_text(at, texts.history_of())
            on:keydown=at.on(on_key)
        >
            {list}
            {rest}
            <div class="actions">
                {again}
                <Button
                    class="button plain"
                    label=texts.close()
                    at
                    act=|at, _| at.does(UserAction::Close)
                />
            </div>
        </div>
    }
    .into_any()
}

fn on_key(at: ViewContext, event: &Event) {
    let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key);
    // Keys of the rows mean nothing in here.
    event.stop_propagation();
    if key.as_deref() == Some("Escape") {
        event.prevent_default();
        at.does(UserAction::Close);
    }
}

fn entry(entry: &ItemHistoryEntry, mode: Mode) -> AnyView {
    let texts = mode.texts();
    let name = name_of(&entry.actor, texts);
    let who = if name.is_empty() {
        texts.somebody()
    } else {
        &name
    };
    let did = fill(action_label(entry, texts), &[("who", who)]);
    let value = |value: &Option<String>| {
        // The sentence says these.
        if matches!(entry.what, What::KindChanged | What::RequiredChanged) {
            return None;
        }
        let value = value.as_deref().filter(|value| !value.is_empty())?;
        let due = (entry.what == What::DueChanged).then(|| value.parse().ok());
        let due = due.flatten().map(|due| due_text(due, mode));
        Some(due.unwrap_or_else(|| value.to_owned()))
    };
    // People with one name are told apart by their ids.
    let is_same_name = entry.before == entry.after;
    let told = |text: &Option<String>, id: &Option<String>| {
        let text = value(text)?;
        let id = id.as_deref().filter(|_| is_same_name);
        Some(id.map_or_else(|| text.clone(), |id| [&text, " (", id, ")"].concat()))
    };
    let before = told(&entry.before, &entry.before_id);
    let change = match (before, told(&entry.after, &entry.after_id)) {
        (Some(before), Some(after)) => Some(fill(
            texts.becomes(),
            &[("before", &before), ("after", &after)],
        )),
        (Some(text), None) | (None, Some(text)) => Some(fill(texts.quoted(), &[("text", &text)])),
        (None, None) => None,
    };
    let is_gone = entry.before.is_some() && entry.after.is_none();
    let change = change.map(|change| {
        let class = if is_gone {
            "history-change gone"
        } else {
            "history-change"
        };
        view! { <bdi class=class>{change}</bdi> }.into_any()
    });
    view! {
        <li class="history-entry">
            <bdi>{did}</bdi>
            <span class="history-time">{moment(entry.at, mode)}</span>
            {change}
        </li>
    }
    .into_any()
}

fn action_label(entry: &ItemHistoryEntry, texts: &Texts) -> &'static str {
    let becomes = |value| entry.after.as_deref() == Some(value);
    match entry.what {
        What::Added => texts.did_add(),
        What::Checked => texts.did_check(),
        What::Confirmed => texts.did_confirm(),
        What::Reopened => texts.did_reopen(),
        What::MarkedNotApplicable => texts.did_set_aside(),
        What::ReasonChanged => texts.did_reason(),
        What::Signalled => texts.did_report(),
        What::TextChanged => texts.did_text(),
        What::NoteChanged => texts.did_note(),
        What::AssigneeChanged => texts.did_assign(),
        What::DueChanged => texts.did_due(),
        What::KindChanged if becomes("Info") => texts.did_make_info(),
        What::KindChanged => texts.did_make_item(),
        What::RequiredChanged if becomes("true") => texts.did_require(),
        What::RequiredChanged => texts.did_make_optional(),
        What::HelpChanged => texts.did_help(),
        What::Moved => texts.did_move(),
        What::Deleted => texts.did_delete(),
        What::Restored => texts.did_restore(),
        What::Retired => texts.did_retire(),
        What::FollowedTemplate => texts.did_follow(),
        _ => texts.did_change(),
    }
}
