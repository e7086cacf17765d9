//! What can be done with a found item where it stands: tick it, accept or decline a proposal, confirm
//! what somebody has done or send it back.
//!
//! A change names the version and the wording that the row shows. Afterwards the list is read again:
//! whatever somebody else has changed is seen then.

use checklist_control::browser::new_id;
use checklist_shared::item::Status;
use checklist_shared::permission::Permission;
use checklist_shared::proposal::Decision;
use checklist_shared::wire::find::FoundItem;
use checklist_shared::wire::write::{Outcome, UpdateItem, UpdateItems};
use serde::Deserialize;
use wasm_bindgen_futures::spawn_local;

use crate::kit::*;

/// What the answer of `UpdateItems` says about the one item.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Changed {
    results: Vec<ChangedItem>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct ChangedItem {
    outcome: Outcome,
    #[serde(default)]
    problem: Option<Refusal>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Refusal {
    detail: String,
}

/// The buttons of a row; none where the list is locked or the person may not check.
pub fn buttons(app: App, list: List, found: &FoundItem) -> AnyView {
    let words = app.language.open_items();
    if found.locked.is_some() || !found.permissions.allows(Permission::Check) {
        return ().into_any();
    }
    let text = found.item.text.clone();
    let button = |label: &'static str, name: &str, update: UpdateItem, done: &'static str| {
        let name = fill(name, &[("item", &text)]);
        let (request, text) = (
            UpdateItems::new(found.context.clone(), false, vec![update]),
            text.clone(),
        );
        let click = move || send(app, list, request.clone(), &text, done);
        view! { <Button label name click class="outlined" /> }
    };
    let base = || UpdateItem {
        base_version: Some(found.item.version),
        ..UpdateItem::of(found.item.id)
    };
    if found
        .item
        .proposal
        .as_ref()
        .is_some_and(|one| !one.accepted)
    {
        let decide = |decision| UpdateItem {
            proposal: Some(decision),
            ..base()
        };
        let (accept, decline) = (decide(Decision::Accept), decide(Decision::Decline));
        let (accept, decline) = if found.item.second_person {
            (
                button(
                    words.confirm,
                    words.confirm_name,
                    accept,
                    words.was_confirmed,
                ),
                button(
                    words.send_back,
                    words.send_back_name,
                    decline,
                    words.was_sent_back,
                ),
            )
        } else {
            (
                button(words.accept, words.accept_name, accept, words.was_accepted),
                button(
                    words.decline,
                    words.decline_name,
                    decline,
                    words.was_declined,
                ),
            )
        };
        return view! {
            <span class="row-buttons">
                {accept}
                {decline}
            </span>
        }
        .into_any();
    }
    // The forms for evidence, an answer, and the reason to override a signal are in the list.
    let item = &found.item;
    if item.requires_evidence || item.answer_format.is_some() || item.signal.is_some() {
        return ().into_any();
    }
    let done = if found.item.second_person {
        words.awaits_second
    } else {
        words.was_done
    };
    let tick = UpdateItem {
        status: Some(Status::Done),
        seen_text_hash: Some(found.item.text_hash.clone()),
        ..base()
    };
    view! {
        <span class="row-buttons">{button(words.done, words.done_name, tick, done)}</span>
    }
    .into_any()
}

fn send(app: App, list: List, mut request: UpdateItems, text: &str, done: &'static str) {
    let words = app.language.open_items();
    request.operation_id = Some(new_id().to_string());
    request.language = Some(app.language.tag().to_owned());
    let text = text.to_owned();
    app.send(
        api::post::<Changed>(app, "UpdateItems", request),
        move |changed| {
            let result = changed.results.into_iter().next();
            let item = ("item", text.as_str());
            let sentence = match result {
                Some(ChangedItem {
                    outcome: Outcome::Updated | Outcome::Unchanged,
                    ..
                }) => fill(done, &[item]),
                Some(ChangedItem {
                    outcome: Outcome::Failed,
                    problem: Some(problem),
                }) => fill(words.not_changed, &[item, ("reason", &problem.detail)]),
                _ => fill(words.changed_meanwhile, &[item]),
            };
            app.say(sentence);
            spawn_local(list.refresh());
        },
    );
}
