//! The menu of a row: everything that can be done with an item, without dragging.
//!
//! A menu button with a menu: arrow keys move, Escape and leaving close it, the focus goes back
//! to the button. Only what the mode allows is in it. Called by `row` and `list`.

use checklist_shared::change::allowed::{may_delete, may_set_not_applicable, may_set_status};
use checklist_shared::item::{Item, Kind, Status};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, FocusEvent, HtmlElement, KeyboardEvent, Node};

use super::add_row;
use super::at::At;
use super::element::{El, View, button, el, nothing};
use super::icon::{MORE, icon};
use crate::browser;
use crate::control::mode::Mode;
use crate::control::screen::{Detail, Panel};
use crate::i18n::{Texts, fill};
use crate::state::list::{ListState, text_of};
use crate::state::moves;

/// What a menu offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Offer {
    NotApplicable,
    AppliesAgain,
    Note,
    Assign,
    Due,
    AddInside,
    Up,
    Down,
    Position,
    Delete,
}

/// All of them, in the order of the menu; views carry the place in here.
const OFFERS: [Offer; 10] = [
    Offer::NotApplicable,
    Offer::AppliesAgain,
    Offer::Note,
    Offer::Assign,
    Offer::Due,
    Offer::AddInside,
    Offer::Up,
    Offer::Down,
    Offer::Position,
    Offer::Delete,
];

impl Offer {
    /// Whether it can be done with this item in this mode.
    fn is_open(self, state: &ListState, item: &Item, mode: Mode) -> bool {
        let is_item = item.kind == Kind::Item;
        let permissions = state.meta.permissions;
        let set_aside = item.status == Status::NotApplicable;
        match self {
            Self::NotApplicable => {
                mode.check && !set_aside && may_set_not_applicable(item, &state.me, permissions)
            }
            Self::AppliesAgain => {
                mode.check && set_aside && may_set_status(item, &state.me, permissions)
            }
            Self::Note | Self::Assign | Self::Due => is_item && mode.edit,
            Self::AddInside => item.kind == Kind::Section && mode.add,
            Self::Up => mode.reorder && moves::step(state, item, true).is_some(),
            Self::Down => mode.reorder && moves::step(state, item, false).is_some(),
            Self::Position => mode.reorder && moves::siblings(state, item.parent_id).len() > 2,
            Self::Delete => mode.delete && may_delete(&state.list, item.id, permissions),
        }
    }

    const fn label(self, texts: &Texts) -> &'static str {
        match self {
            Self::NotApplicable => texts.mark_not_applicable(),
            Self::AppliesAgain => texts.applies_again(),
            Self::Note => texts.note(),
            Self::Assign => texts.assign(),
            Self::Due => texts.due_date(),
            Self::AddInside => texts.add_item(),
            Self::Up => texts.move_up(),
            Self::Down => texts.move_down(),
            Self::Position => texts.move_to(),
            Self::Delete => texts.delete(),
        }
    }
}

/// Whether there is anything to offer for items of this kind in this mode at all.
#[must_use]
pub fn is_useful(item: &Item, mode: Mode) -> bool {
    let any = mode.edit || mode.reorder || mode.delete || (mode.add && item.kind == Kind::Section);
    item.retired_at.is_none()
        && (any || (mode.check && item.kind == Kind::Item && item.allow_not_applicable))
}

/// The button that opens the menu.
#[must_use]
pub fn more(at: At) -> El {
    let open = at.row(|row| is_menu(&row.panel)) == Some(true);
    el("button|type=button|class=button icon more|aria-haspopup=menu")
        .fixed("title", at.texts().more())
        .attr("aria-label", named(at, at.texts().more_named()))
        .fixed("aria-expanded", if open { "true" } else { "false" })
        .on("click", at, |at, _| {
            if at.row(|row| is_menu(&row.panel)) == Some(true) {
                close(at);
            } else {
                at.act(|controller, id| controller.open(id, Panel::Menu(is_low(at)), ".menu-item"));
            }
        })
        .on("keydown", at, on_button_key)
        .child(icon(MORE))
}

/// The focus reaches the menu a moment after it has opened; who is faster closes it all the same.
fn on_button_key(at: At, event: &Event) {
    let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key);
    if key.as_deref() == Some("Escape") && at.row(|row| is_menu(&row.panel)) == Some(true) {
        event.stop_propagation();
        close(at);
    }
}

/// A label with the item's text in it.
pub(super) fn named(at: At, label: &str) -> String {
    at.read(|item| fill(label, &[("text", text_of(item))]))
        .unwrap_or_default()
}

const fn is_menu(panel: &Panel) -> bool {
    matches!(panel, Panel::Menu(_))
}

/// Whether the row stands so low in the window that a menu finds more room above.
fn is_low(at: At) -> bool {
    let height = web_sys::window()
        .and_then(|window| window.inner_height().ok())
        .and_then(|height| height.as_f64());
    let row = at
        .item
        .and_then(|id| at.controller.row_element(id))
        .map(|row| row.get_bounding_client_rect());
    match (height, row) {
        (Some(height), Some(row)) => height - row.top() < 340.0 && row.top() > 340.0,
        _ => false,
    }
}

fn close(at: At) {
    at.act(|controller, id| {
        controller.show_row(id, |row| row.panel = Panel::Closed);
        controller.focus_in_row(id, ".more");
    });
}

/// The open menu.
#[must_use]
pub fn menu(at: At, up: bool) -> View {
    let Some(item) = at.item.and_then(|id| at.controller.item(id)) else {
        return nothing();
    };
    let mut items = Vec::new();
    for (number, offer) in (0..).zip(OFFERS) {
        if at
            .controller
            .with_state(|state| offer.is_open(state, &item, at.mode))
        {
            let class = if offer == Offer::Delete {
                "menu-item danger"
            } else {
                "menu-item"
            };
            let entry = button(class, offer.label(at.texts()), at.number(number), choose);
            items.push(
                entry
                    .fixed("role", "menuitem")
                    .fixed("tabindex", "-1")
                    .view(),
            );
        }
    }
    el("div|part=menu|role=menu")
        .class(if up { "menu up" } else { "menu" })
        .attr("aria-label", named(at, at.texts().more_named()))
        .on("keydown", at, on_key)
        .on("focusout", at, on_leave)
        .children(items)
        .view()
}

fn on_key(at: At, event: &Event) {
    let Some(key) = event.dyn_ref::<KeyboardEvent>() else {
        return;
    };
    // Keys of the rows mean nothing in a menu.
    event.stop_propagation();
    match key.key().as_str() {
        "ArrowDown" => rove(event, |at, count| (at + 1) % count),
        "ArrowUp" => rove(event, |at, count| (at + count - 1) % count),
        "Home" => rove(event, |_, _| 0),
        "End" => rove(event, |_, count| count - 1),
        "Escape" => close(at),
        _ => return,
    }
    event.prevent_default();
}

/// Moves the focus among the menu's items, round and round.
fn rove(event: &Event, next: fn(u32, u32) -> u32) {
    let Some(menu) = event
        .current_target()
        .and_then(|menu| menu.dyn_into::<Element>().ok())
    else {
        return;
    };
    let items = menu.children();
    let origin = browser::origin(event);
    let focused = (0..items.length()).find(|at| {
        items
            .item(*at)
            .is_some_and(|item| item.is_same_node(origin.as_ref().map(AsRef::as_ref)))
    });
    let item = focused.and_then(|at| items.item(next(at, items.length())));
    if let Some(item) = item.and_then(|item| item.dyn_into::<HtmlElement>().ok()) {
        let _ = item.focus();
    }
}

fn on_leave(at: At, event: &Event) {
    let menu = event
        .current_target()
        .and_then(|menu| menu.dyn_into::<Node>().ok());
    let next = event
        .dyn_ref::<FocusEvent>()
        .and_then(FocusEvent::related_target);
    let next = next.and_then(|next| next.dyn_into::<Element>().ok());
    let inside = menu.is_some_and(|menu| menu.contains(next.as_ref().map(AsRef::as_ref)));
    // The button itself toggles; closing here as well would open it again at once.
    let button = next.is_some_and(|next| next.class_list().contains("more"));
    if !inside && !button && at.row(|row| is_menu(&row.panel)) == Some(true) {
        at.show_row(|row| row.panel = Panel::Closed);
    }
}

fn choose(at: At, _event: &Event) {
    let (Some(id), Some(offer)) = (at.item, OFFERS.get(at.number as usize)) else {
        return;
    };
    let controller = at.controller;
    // Closed first: what is chosen may open something else in the row.
    at.show_row(|row| row.panel = Panel::Closed);
    match offer {
        Offer::NotApplicable => controller.ask_reason(id),
        Offer::AppliesAgain => {
            controller.set_status(id, Status::Open, None);
            controller.focus_row(id);
        }
        Offer::Note => controller.edit_details(id, Detail::Note),
        Offer::Assign => controller.edit_details(id, Detail::Assignee),
        Offer::Due => controller.edit_details(id, Detail::Due),
        Offer::AddInside => add_row::open(at),
        Offer::Up | Offer::Down => {
            controller.move_by(id, *offer == Offer::Up);
            // Back to the button, because moving once more is the likeliest wish.
            controller.focus_in_row(id, ".more");
        }
        Offer::Position => {
            let place = controller
                .siblings(at.item)
                .iter()
                .position(|other| *other == id)
                .unwrap_or(0)
                + 1;
            controller.open(id, Panel::Position(place.to_string()), ".editor input");
        }
        Offer::Delete => controller.delete(id),
    }
}
