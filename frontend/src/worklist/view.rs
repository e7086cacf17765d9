//! Draws a worklist: a card with a title, rows with a native box each, and what stands in their place.
//!
//! Class names and parts are those of the control where they mean the same; `origin`, `object`,
//! `obstacle` and `more` are its own (`style/worklist/worklist.css`). A box shows what the server has,
//! and while a click is on its way what was clicked.

use checklist_shared::item::{Item, Status};
use checklist_shared::wire::find::FoundItem;
use js_sys::encode_uri_component;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, HtmlInputElement, KeyboardEvent, MouseEvent};

use super::controller::{Reading, Row, Stage, WorklistController};
use super::form::FormShape;
use super::row::{Obstacle, RowState};
use super::settings::OpenDetail;
use super::wording::Wording;
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
    /// The view, for the place where the worklist is mounted.
    #[must_use]
    pub fn view(&self) -> AnyView {
        let (card, spoken) = (self.clone(), self.clone());
        view! {
            <div
                class="control"
                on:input=|event| event.stop_propagation()
                on:change=|event| event.stop_propagation()
            >
                {move || card.card()}
                <div class="sr" role="status" aria-live="polite">
                    {move || spoken.spoken()}
                </div>
            </div>
        }
        .into_any()
    }

    fn card(&self) -> AnyView {
        let language = self.mode().words.language;
        let (busy, body, title) = (self.clone(), self.clone(), self.clone());
        let is_busy = move || {
            let is_busy = busy.stage() == Stage::Loading || busy.reading() == Reading::Busy;
            is_busy.to_string()
        };
        view! {
            <section
                class="card worklist"
                part="card"
                lang=language.tag()
                dir=language.direction()
                aria-labelledby="worklist-title"
                aria-busy=is_busy
            >
                <header class="header" part="header">
                    <h2 class="title" part="title" id="worklist-title" dir="auto">
                        {move || title.title()}
                    </h2>
                </header>
                {move || body.body()}
            </section>
        }
        .into_any()
    }

    fn title(&self) -> String {
        let wording = self.wording();
        self.with_settings(|settings| {
            if settings.late {
                wording.late.to_owned()
            } else if settings.proposed {
                wording.proposed.to_owned()
            } else if let Some(id) = settings.other_assignee() {
                fill(wording.of_other, &[("name", &self.name_of(id))])
            } else if settings.is_of_caller() {
                wording.mine.to_owned()
            } else {
                wording.all.to_owned()
            }
        })
    }

    fn body(&self) -> AnyView {
        match self.stage() {
            Stage::Loading => skeleton(self.wording()),
            Stage::Failed(why) => self.failure(self.wording().load_failed, why),
            Stage::Ready => {
                let (failed, list, end) = (self.clone(), self.clone(), self.clone());
                let is_empty = {
                    let rows = self.clone();
                    Memo::new(move |_| rows.rows().is_empty())
                };
                view! {
                    {move || failed.refresh_failure()}
                    {move || if is_empty.get() { list.empty() } else { list.list() }}
                    {move || end.end()}
                }
                .into_any()
            }
        }
    }

    /// Why nothing could be read, with a way to try again.
    fn failure(&self, what: &'static str, why: String) -> AnyView {
        let again = self.clone();
        view! {
            <div class="failure" part="failure" role="alert">
                <div>
                    <p>
                        <strong>{what}</strong>
                    </p>
                    <p>{why}</p>
                </div>
                <button type="button" class="button" on:click=move |_| again.refresh()>
                    {self.mode().texts().try_again()}
                </button>
            </div>
        }
        .into_any()
    }

    fn refresh_failure(&self) -> Option<AnyView> {
        match self.reading() {
            Reading::Failed(why) => Some(self.failure(self.wording().refresh_failed, why)),
            Reading::Idle | Reading::Busy => None,
        }
    }

    fn empty(&self) -> AnyView {
        let (wording, texts) = (self.wording(), self.mode().texts());
        let (title, hint) = self.with_settings(|settings| {
            let is_searched = !settings.text.trim().is_empty();
            let (title, hint) = if is_searched {
                (texts.no_matches(), wording.none_text_hint)
            } else if settings.late {
                (wording.none_late, wording.none_late_hint)
            } else if settings.proposed {
                (wording.none_proposed, wording.none_proposed_hint)
            } else if settings.is_of_caller() {
                (wording.none_mine, wording.none_mine_hint)
            } else {
                (wording.none_all, wording.none_all_hint)
            };
            match settings.other_assignee().filter(|_| !is_searched) {
                Some(name) => (
                    fill(wording.none_other, &[("name", name)]),
                    wording.none_other_hint,
                ),
                None => (title.to_owned(), hint),
            }
        });
        view! {
            <div class="empty" part="empty">
                <slot name="empty">
                    <p class="empty-title">{title}</p>
                    <p>{hint}</p>
                </slot>
            </div>
        }
        .into_any()
    }

    fn list(&self) -> AnyView {
        let (rows, row) = (self.clone(), self.clone());
        view! {
            <ul class="list" part="list" role="list" on:keydown=move_focus>
                <For each=move || rows.rows() key=|row| row.key.clone() children=move |one| row.row(one) />
            </ul>
        }
        .into_any()
    }

    /// The button for further items, which takes the focus to the first of them.
    fn end(&self) -> Option<AnyView> {
        if !self.has_more() {
            return None;
        }
        let (more, label) = (self.clone(), self.clone());
        let click = move |event: MouseEvent| {
            let card = browser::origin(&event)
                .and_then(|button| button.closest(".worklist").ok().flatten());
            let focus = move |id: u32| {
                let selector = format!("#c{id}");
                // The rows are drawn once this is through.
                let focus = move || {
                    if let Some(card) = card {
                        focus_in(&card, &selector);
                    }
                };
                browser::set_timeout(0, Box::new(focus));
            };
            more.load_more(Box::new(focus));
        };
        let label = move || {
            let is_empty = label.rows().is_empty();
            match label.reading() {
                Reading::Busy => label.mode().texts().part_loading(),
                _ if is_empty => label.wording().search_on,
                _ => label.wording().more,
            }
        };
        let view = view! {
            <div class="more" part="more">
                <button type="button" class="button" on:click=click>
                    {label}
                </button>
            </div>
        };
        Some(view.into_any())
    }

    fn row(&self, row: Row) -> AnyView {
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
        let of = row.state.clone();
        let text = move || of.with(|state| item_text(&state.found.item.text));
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
fn move_focus(event: KeyboardEvent) {
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

pub(super) fn focus_in(element: &Element, selector: &str) {
    let found = element.query_selector(selector).ok().flatten();
    if let Some(found) = found.and_then(|found| found.dyn_into::<HtmlElement>().ok()) {
        let _ = found.focus();
    }
}

/// In the shape of what follows.
fn skeleton(wording: &Wording) -> AnyView {
    let bars: Vec<_> = (0..4).map(|_| view! { <span></span> }.into_any()).collect();
    view! {
        <p class="sr">{wording.loading}</p>
        <div class="skeleton" aria-hidden="true">
            {bars}
        </div>
    }
    .into_any()
}

fn encode(part: &str) -> String {
    encode_uri_component(part).into()
}
