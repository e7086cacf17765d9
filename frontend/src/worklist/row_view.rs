//! Draws the rows of a worklist: a native box each, the text, and below it what the item is about.
//!
//! Class names and parts are those of the control where they mean the same; `origin`, `object` and
//! `obstacle` are its own (`style/worklist/worklist.css`). A box shows what the server has, and while a
//! click is on its way what was clicked.

use checklist_shared::item::{Item, Status};
use checklist_shared::wire::find::FoundItem;
use js_sys::encode_uri_component;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, KeyboardEvent, MouseEvent};

use super::controller::{Row, WorklistController};
use super::focus::focus_in;
use super::form::FormShape;
use super::row::{Obstacle, RowState};
use super::settings::OpenDetail;
use crate::browser;
use crate::components::answer::answer;
use crate::components::meta::{due_on, due_sentence};
use crate::components::proposal::evidence;
use crate::components::signal::signal;
use crate::i18n::actor::name_of;
use crate::i18n::due::is_overdue;
use crate::i18n::{Texts, fill};
use crate::item_text::item_text;
use crate::model::notice::{Notice, RejectionReason};
use crate::model::support::StatusSupport;
use crate::reader;
use crate::wording::sentence;

impl WorklistController {
    /// A row.
    pub(super) fn row(&self, row: Row) -> AnyView {
        let (box_id, about_id) = (format!("c{}", row.id), format!("m{}", row.id));
        let id = row
            .state
            .with_untracked(|state| state.found.item.id.to_text());
        let of = row.state.clone();
        let class = move || of.with(classes);
        let of = row.state.clone();
        let is_done = move || of.with(|state| state.status() == Status::Done);
        let of = row.state.clone();
        let disabled = move || of.with(is_blocked).then_some("true");
        let (worklist, of) = (self.clone(), row.clone());
        let text = move || item_text(&worklist.text(&of));
        let (worklist, of) = (self.clone(), row.state.clone());
        let about = move || of.with(|state| worklist.about(state));
        let (worklist, of) = (self.clone(), row.state.clone());
        let notice = move || of.with(|state| worklist.notice(state));
        let of = row.state.clone();
        let shape = Memo::new(move |_| of.with(FormShape::of));
        let (worklist, of) = (self.clone(), row.clone());
        let form = move || worklist.form(&of, shape.get());
        let of = row.state.clone();
        let on_click = move |event: MouseEvent| {
            if of.with_untracked(is_blocked) {
                event.prevent_default();
            }
        };
        let worklist = self.clone();
        let on_change = move |event: Event| on_change(&worklist, &row, &event);
        view! {
            <li class=class part="row" role="listitem" data-id=id>
                <input
                    type="checkbox"
                    class="box"
                    part="checkbox"
                    id=box_id.clone()
                    aria-describedby=about_id.clone()
                    aria-disabled=disabled
                    prop:checked=is_done
                    on:click=on_click
                    on:change=on_change
                />
                <label class="text" part="text" for=box_id>
                    <bdi>{text}</bdi>
                </label>
                <div class="about" id=about_id>
                    {about}
                </div>
                {notice}
                {form}
            </li>
        }
        .into_any()
    }

    /// The text of the item; under an open form as it was read there.
    fn text(&self, row: &Row) -> String {
        let language = self.mode().tag;
        let seen = row.form.with(|form| {
            let text = form.as_ref().and_then(|form| form.text_in(language));
            text.map(str::to_owned)
        });
        seen.unwrap_or_else(|| row.state.with(|state| state.found.item.text.clone()))
    }

    /// What describes the box: when it is due and who does it, which list it is in, what somebody
    /// proposes, what is asked for or was given, and why it cannot be ticked.
    fn about(&self, state: &RowState) -> AnyView {
        let found = &state.found;
        view! {
            {self.meta(found)}
            {self.origin(found)}
            {self.proposal(found)}
            {self.support(found)}
            {self.obstacle(state)}
        }
        .into_any()
    }

    fn meta(&self, found: &FoundItem) -> Option<AnyView> {
        let mode = self.mode();
        let item = &found.item;
        let due = item.due.map(|due| {
            let whole = due_on(due, mode);
            let sentence = due_sentence(due, item.status == Status::Open, mode);
            let whole = (whole != sentence).then_some(whole);
            view! {
                <span class="due" part="due" title=whole>
                    <bdi>{sentence}</bdi>
                </span>
            }
            .into_any()
        });
        // Who asks for their own items knows whose they are.
        let is_told = self.with_settings(|settings| !settings.is_of_caller());
        let assignee = item.assignee.clone().filter(|_| is_told);
        let assignee = assignee.map(|who| {
            let id = self.with_ambiguous_names(|names| who.distinction(names).map(str::to_owned));
            let id = id.map(|id| view! { <bdi class="assignee-id">{id}</bdi> }.into_any());
            view! {
                <span class="assignee" part="assignee">
                    <bdi>{who.name}</bdi>
                    {id}
                </span>
            }
            .into_any()
        });
        let required = item.required.then(|| {
            let required = mode.texts().required();
            view! { <span class="required" part="required">{required}</span> }.into_any()
        });
        let parts: Vec<AnyView> = [due, assignee, required].into_iter().flatten().collect();
        (!parts.is_empty())
            .then(|| view! { <div class="meta" part="meta">{parts}</div> }.into_any())
    }

    /// The object, and the list on it.
    fn origin(&self, found: &FoundItem) -> AnyView {
        let context = &found.context;
        let parts = [
            Some(context.object_type.clone()),
            found.title.clone(),
            found.section.clone(),
        ];
        let parts = parts.into_iter().flatten().map(|part| {
            view! {
                <span>
                    <bdi>{part}</bdi>
                </span>
            }
            .into_any()
        });
        let parts: Vec<AnyView> = parts.collect();
        view! {
            <div class="origin" part="origin">
                {self.object(found)}
                {parts}
            </div>
        }
        .into_any()
    }

    /// The way to the object: a link, or a button for pages that show objects themselves.
    fn object(&self, found: &FoundItem) -> AnyView {
        let detail = OpenDetail {
            context: found.context.clone(),
            item: found.item.id,
        };
        let id = found.context.object_id.clone();
        let name = fill(self.wording().open_object, &[("id", &id)]);
        let address = self.with_settings(|settings| settings.address(&detail, encode));
        let worklist = self.clone();
        let click = move |event: MouseEvent| {
            let is_elsewhere =
                event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key();
            if !is_elsewhere && !worklist.open(detail.clone()) {
                event.prevent_default();
            }
        };
        match address {
            Some(address) => view! {
                <a class="object" part="object" href=address aria-label=name on:click=click>
                    <bdi>{id}</bdi>
                </a>
            }
            .into_any(),
            None => view! {
                <button type="button" class="object" part="object" aria-label=name on:click=click>
                    <bdi>{id}</bdi>
                </button>
            }
            .into_any(),
        }
    }

    fn proposal(&self, found: &FoundItem) -> Option<AnyView> {
        let texts = self.mode().texts();
        let proposal = found.item.proposal.as_deref();
        let proposal = proposal.filter(|one| !one.accepted)?;
        let sentence = if found.item.second_person {
            texts.first_person()
        } else {
            texts.proposes()
        };
        let who = name_of(&proposal.by, texts);
        let status = status_in_words(proposal.status, texts);
        let sentence = fill(sentence, &[("who", &who), ("status", status)]);
        let reason = proposal.reason.clone();
        let reason =
            reason.map(|reason| view! { <p class="reason" dir="auto">{reason}</p> }.into_any());
        Some(view! { <p class="reason">{sentence}</p> {reason} }.into_any())
    }

    /// What another system reports, what is asked for or was answered, and the evidence.
    fn support(&self, found: &FoundItem) -> AnyView {
        let item = Item::from(found.item.clone());
        let evidence = item.evidence().map(evidence);
        view! {
            {signal(&item, self.mode())}
            {answer(&item, self.mode())}
            {evidence}
        }
        .into_any()
    }

    fn obstacle(&self, state: &RowState) -> Option<AnyView> {
        let sentence = match state.obstacle()? {
            Obstacle::Locked => self.mode().texts().error_locked(),
            Obstacle::NotPermitted => self.wording().not_permitted,
            Obstacle::SecondPerson => self.wording().second_person,
            Obstacle::Left => self.wording().left,
            // The notice has said it.
            Obstacle::Resolved | Obstacle::Gone => return None,
        };
        Some(view! { <p class="obstacle" part="obstacle">{sentence}</p> }.into_any())
    }

    fn notice(&self, state: &RowState) -> Option<AnyView> {
        let notice = state.notice.as_ref()?;
        let sentence = self.sentence(notice);
        let class = match notice {
            Notice::Refused(..) => "notice danger",
            _ => "notice warn",
        };
        Some(view! { <p class=class part="notice" dir="auto">{sentence}</p> }.into_any())
    }

    /// The sentence of a notice, for the row and for those who listen.
    pub(super) fn sentence(&self, notice: &Notice) -> String {
        let reason = sentence(notice, self.mode());
        match notice {
            Notice::Refused(RejectionReason::ItemGone, _) => reason,
            Notice::Refused(..) => fill(self.wording().unchanged, &[("reason", &reason)]),
            _ => reason,
        }
    }
}

fn classes(state: &RowState) -> String {
    let item = &state.found.item;
    let is_open = state.status() == Status::Open;
    let is_late = is_open && item.due.is_some_and(|due| is_overdue(due, reader::today()));
    let status = match state.status() {
        Status::Open => "row open",
        Status::Done => "row done",
        Status::NotApplicable => "row na",
    };
    let mut names = String::from(status);
    for (name, is_there) in [
        (" late", is_late),
        (" pending", state.sending.is_some()),
        (" gone", state.is_gone),
    ] {
        if is_there {
            names.push_str(name);
        }
    }
    names
}

const fn status_in_words(status: Status, texts: &Texts) -> &'static str {
    match status {
        Status::Open => texts.open(),
        Status::Done => texts.done(),
        Status::NotApplicable => texts.not_applicable(),
    }
}

/// Whether a click changes nothing.
fn is_blocked(state: &RowState) -> bool {
    state.obstacle().is_some() || state.sending.is_some()
}

fn on_change(worklist: &WorklistController, row: &Row, event: &Event) {
    let input = browser::origin(event).and_then(|input| input.dyn_into::<HtmlInputElement>().ok());
    let Some(input) = input else { return };
    let wanted = if input.checked() {
        Status::Done
    } else {
        Status::Open
    };
    let (worklist, row) = (worklist.clone(), row.clone());
    // A handler of the page may click the same box at once, and no listener of Leptos may be called
    // while it is being called.
    browser::soon(Box::new(move || {
        let has_form = row.form.with_untracked(Option::is_some)
            || row.state.with_untracked(RowState::needs_form);
        if wanted == Status::Done
            && has_form
            && let Some(around) = input.parent_element()
        {
            input.set_checked(false);
            worklist.open_form(&row, around);
        } else if !worklist.tick(&row, wanted, StatusSupport::default()) {
            let is_done = row
                .state
                .with_untracked(|state| state.status() == Status::Done);
            input.set_checked(is_done);
        }
    }));
}

/// Arrows go from box to box.
pub(super) fn move_focus(event: KeyboardEvent) {
    let Some(here) = browser::origin(&event).filter(|origin| origin.class_name() == "box") else {
        return;
    };
    let row = here.parent_element();
    let row = match event.key().as_str() {
        "ArrowDown" => row.and_then(|row| row.next_element_sibling()),
        "ArrowUp" => row.and_then(|row| row.previous_element_sibling()),
        _ => return,
    };
    event.prevent_default();
    if let Some(row) = row {
        focus_in(&row, ".box");
    }
}

fn encode(part: &str) -> String {
    encode_uri_component(part).into()
}
