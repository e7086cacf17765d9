//! One row: checkbox, text, who completed it, a second line with details, the menu's
//! button, and whatever is open in it.
//!
//! A tick does not change the height of a row: what it adds has reserved space (`style/rows.css`). A
//! row is one effect and renders itself when its data changes. The checkbox is a native one; it shows
//! the state of the list and not the click, because the host may cancel the change.

use checklist_shared::ItemId;
use checklist_shared::change::allowed::{may_confirm, may_set_status, takes_support};
use checklist_shared::item::{Item, Kind, Status};
use checklist_shared::proposal::Decision;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, MouseEvent};

use super::around::Around;
use super::at::{ViewContext, nothing};
use super::icon::{CHECK, CIRCLE, DASH, Icon};
use super::late::late;
use super::{drag, menu, meta};
use crate::STILL;
use crate::browser;
use crate::effects::Controller;
use crate::i18n::fill;
use crate::item_text::item_text;
use crate::kept::Kept;
use crate::model::list::{resolve, text_of};
use crate::model::message::UserAction;
use crate::model::notice::Notice;
use crate::screen::{Panel, RecentChange};

/// A row of a list.
#[component]
pub fn Row(
    /// The control, and its row if there is one.
    at: ViewContext,
) -> impl IntoView {
    at.live(row)
}

fn row(at: ViewContext) -> AnyView {
    at.follow();
    let Some(item) = at.item.and_then(|id| at.controller.item(id)) else {
        return nothing();
    };
    let fresh = at.row(|row| row.fresh.as_ref().map(|fresh| just_done(at, fresh)));
    view! {
        <li class=classes(at, &item) part="row" role="listitem" data-id=at.id()>
            {drag::handle(at, item.retired_at.is_none())}
            {(item.kind == Kind::Item).then(|| mark(at, &item))}
            {text(at, &item)}
            {descriptions(at, &item)}
            {help(at, &item)}
            {(!STILL && item.proposal.is_some()).then(|| late(|views| (views.proposal)(at, &item)))}
            <Around at />
            {fresh.flatten()}
        </li>
    }
    .into_any()
}

/// Who has just changed the row. Hidden from screen readers: the live region announces it.
fn just_done(at: ViewContext, fresh: &RecentChange) -> AnyView {
    let texts = at.texts();
    let text = if fresh.checked {
        texts.just_checked()
    } else {
        texts.just_changed()
    };
    let text = fill(text, &[("who", &fresh.who)]);
    view! { <span class="just" part="just" aria-hidden="true">{text}</span> }.into_any()
}

fn classes(at: ViewContext, item: &Item) -> String {
    let mut names = String::from("row");
    let mut add = |name: &str, there: bool| {
        if there {
            names.push(' ');
            names.push_str(name);
        }
    };
    let is_item = item.kind == Kind::Item;
    let pending = at.controller.with_state(|state| state.is_pending(item.id));
    add("awaits", item.awaits_confirmation());
    add("open", is_item && item.status == Status::Open);
    add("done", is_item && item.status == Status::Done);
    add("na", is_item && item.status == Status::NotApplicable);
    add("info", item.kind == Kind::Info);
    add("late", meta::is_late(item));
    add("retired", item.retired_at.is_some());
    add("pending", pending);
    at.row(|row| {
        add("conflict", row.notice.is_some());
        add("fresh", row.fresh.is_some());
        add("selected", row.selected);
        add("editing", matches!(row.panel, Panel::Text(..)));
    });
    names
}

/// The checkbox; in a mode without checkboxes, an icon with the same meaning as the text.
fn mark(at: ViewContext, item: &Item) -> AnyView {
    let mode = at.mode();
    let done = item.status == Status::Done;
    if !mode.boxes {
        let path = match item.status {
            Status::Done => CHECK,
            Status::NotApplicable => DASH,
            Status::Open => CIRCLE,
        };
        return view! { <span class="mark" aria-hidden="true"><Icon path /></span> }.into_any();
    }
    // Focusable and readable, but not to be changed: a disabled box would be neither.
    let unchangeable = (!may_check(at, item)).then_some("true");
    view! {
        <input
            {..Kept::Attribute("type", "checkbox")}
            {..Kept::Checked(done)}
            {..Kept::Mixed(item.awaits_confirmation())}
            class="box"
            part="checkbox"
            id=at.dom_id("c")
            aria-describedby=at.dom_id("m")
            disabled=mode.disabled || STILL
            aria-disabled=unchangeable
            checked=STILL && done
            on:click=at.on(on_click)
            on:change=at.on(on_change)
        />
    }
    .into_any()
}

fn on_click(at: ViewContext, event: &Event) {
    if at.read(|item| !may_check(at, item)) == Some(true) {
        event.prevent_default();
    }
}

fn on_change(at: ViewContext, event: &Event) {
    let input = browser::origin(event);
    let Some(input) = input.and_then(|input| input.dyn_into::<HtmlInputElement>().ok()) else {
        return;
    };
    let wanted = if input.checked() {
        Status::Done
    } else {
        Status::Open
    };
    // Not before this listener is through: a handler of the change may click the same box at
    // once, and no listener of Leptos may be called while it is being called.
    let act = move || at.act(|controller, id| check(controller, id, &input, wanted));
    browser::soon(Box::new(act));
}

/// Sets the clicked status, and shows the result: the host may have cancelled it. Of an item that
/// waits for a second person, the first one takes it back with this, and another one confirms.
fn check(controller: Controller, id: ItemId, input: &HtmlInputElement, wanted: Status) {
    let waiting = controller.item(id).filter(Item::awaits_confirmation);
    let action = match waiting.as_ref().and_then(Item::open_proposal) {
        Some(done) if controller.with_state(|state| may_confirm(&done.by, &state.me)) => {
            UserAction::Decide(id, Decision::Accept)
        }
        Some(_) => UserAction::Decide(id, Decision::Decline),
        None => to_set_status(controller.item(id).as_ref(), id, wanted),
    };
    controller.does(action);
    let shown = controller.item(id);
    input.set_checked(
        shown
            .as_ref()
            .is_some_and(|item| item.status == Status::Done),
    );
    input.set_indeterminate(shown.is_some_and(|item| item.awaits_confirmation()));
}

/// What sets a status: what it needs, evidence, an answer or the reason to override a signal, is asked for first.
pub(super) fn to_set_status(item: Option<&Item>, id: ItemId, wanted: Status) -> UserAction {
    match item {
        Some(item) if wanted == Status::Done && takes_support(item) => UserAction::AskSupport(id),
        Some(item) if item.would_override(wanted) => UserAction::AskReason(id, wanted),
        _ => UserAction::SetStatus(id, wanted, None),
    }
}

/// Whether this person may change this item's status.
fn may_check(at: ViewContext, item: &Item) -> bool {
    at.mode().check
        && at
            .controller
            .with_state(|state| may_set_status(item, &state.me, state.meta.permissions))
}

/// The text: the name of its box, where there are boxes. A double click edits it.
fn text(at: ViewContext, item: &Item) -> AnyView {
    let mode = at.mode();
    // While a conflict waits for a choice, the row goes on showing what was typed here.
    let mine = at.row(|row| match &row.notice {
        Some(Notice::TextTaken { mine, .. }) => Some(mine.clone()),
        _ => None,
    });
    let text = mine.flatten().unwrap_or_else(|| text_of(item).to_owned());
    let text = view! { <bdi>{item_text(&text)}</bdi> }.into_any();
    let edit = at.on::<MouseEvent>(|at, _| at.does(UserAction::EditText));
    if item.kind == Kind::Item && mode.boxes {
        // On paper it says its state in a word too (`style/print.css`).
        let state = meta::status(item, mode);
        let of = at.dom_id("c");
        view! {
            <label
                class="text"
                part="text"
                for=of
                data-state=state
                on:dblclick=edit
            >
                {text}
            </label>
        }
        .into_any()
    } else {
        view! {
            <p class="text" part="text" on:dblclick=edit>
                {text}
            </p>
        }
        .into_any()
    }
}

/// What describes the box: who and when, the second line, remarks.
fn descriptions(at: ViewContext, item: &Item) -> AnyView {
    let mode = at.mode();
    let pending = at.controller.with_state(|state| state.is_pending(item.id));
    let unsaved =
        pending.then(|| view! { <span class="sr">{at.texts().unsaved()}</span> }.into_any());
    // No role that a row of a list may have knows a state for it.
    let selected = at.row(|row| row.selected) == Some(true);
    let selected =
        selected.then(|| view! { <span class="sr">{at.texts().selected()}</span> }.into_any());
    let has_answer = item.answer_format.is_some() || item.answer().is_some();
    view! {
        <div class="about" id=at.dom_id("m")>
            {meta::by_line(item, mode)}
            {meta::meta(at, item)}
            {item.signal.is_some().then(|| late(|views| (views.signal)(item, mode)))}
            {has_answer.then(|| late(|views| (views.answer)(item, mode)))}
            {meta::remarks(at, item)}
            {unsaved}
            {selected}
        </div>
    }
    .into_any()
}

/// Classes of what opens the help.
const HELP_TOGGLE: &str = "button plain help-toggle";

/// The help, behind a button that says whether it is open. What a server draws opens by itself.
fn help(at: ViewContext, item: &Item) -> Option<AnyView> {
    let source = item.help.as_ref().map(resolve).unwrap_or_default();
    if source.trim().is_empty() {
        return None;
    }
    let label = at.texts().help();
    let name = menu::label_with_text(at, at.texts().help_named());
    let content = || {
        late(|views| {
            let help = (views.markdown)(source);
            view! { <div class="help" part="help" dir="auto">{help}</div> }.into_any()
        })
    };
    if STILL {
        let drawn = view! {
            <details class="help-box">
                <summary class=HELP_TOGGLE aria-label=name>
                    {label}
                </summary>
                {content()}
            </details>
        };
        return Some(drawn.into_any());
    }
    let open = at.row(|row| row.help) == Some(true);
    let act = at.on::<MouseEvent>(|at, _| {
        let toggle = move || at.show_row(|row| row.help = !row.help);
        at.controller.press(Box::new(toggle));
    });
    let view = view! {
        <button
            type="button"
            class=HELP_TOGGLE
            aria-label=name
            aria-expanded=if open { "true" } else { "false" }
            on:click=act
        >
            {label}
        </button>
        {open.then(content)}
    };
    Some(view.into_any())
}
