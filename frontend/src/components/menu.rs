//! The menu of a row: everything that can be done with an item, without dragging.
//!
//! A menu button with a menu: arrow keys move, Escape and leaving close it, the focus goes back
//! to the button. Only what the mode allows is in it. Called by `row` and `list`.

use checklist_shared::ItemId;
use checklist_shared::item::{Item, Kind, Status};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, FocusEvent, HtmlElement, KeyboardEvent, Node};

use super::add_row;
use super::element::{el, nothing};
use super::icon::{MORE, icon};
use crate::control::Controller;
use crate::control::mode::Mode;
use crate::control::screen::{Detail, Panel, Row};
use crate::i18n::fill;
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

/// What can be done with this item in this mode.
fn offers(state: &ListState, item: &Item, mode: &Mode) -> Vec<Offer> {
    let mut offers = Vec::new();
    let is_item = item.kind == Kind::Item;
    let mut add = |there: bool, offer| {
        if there {
            offers.push(offer);
        }
    };
    let set_aside = item.status == Status::NotApplicable;
    add(is_item && mode.check && item.allow_not_applicable && !set_aside, Offer::NotApplicable);
    add(is_item && mode.check && set_aside, Offer::AppliesAgain);
    add(is_item && mode.edit, Offer::Note);
    add(is_item && mode.edit, Offer::Assign);
    add(is_item && mode.edit, Offer::Due);
    add(item.kind == Kind::Section && mode.add, Offer::AddInside);
    add(mode.reorder && moves::step(state, item, true).is_some(), Offer::Up);
    add(mode.reorder && moves::step(state, item, false).is_some(), Offer::Down);
    add(mode.reorder && moves::siblings(state, item.parent_id).len() > 2, Offer::Position);
    add(mode.delete, Offer::Delete);
    offers
}

/// Whether there is anything to offer for items of this kind in this mode at all.
#[must_use]
pub fn is_useful(item: &Item, mode: &Mode) -> bool {
    let any = mode.edit || mode.reorder || mode.delete || (mode.add && item.kind == Kind::Section);
    item.retired_at.is_none() && (any || (mode.check && item.kind == Kind::Item && item.allow_not_applicable))
}

/// The button that opens the menu.
#[must_use]
pub fn more(controller: &Controller, row: &Row, mode: &Mode) -> AnyView {
    let texts = mode.texts();
    let (item, open, toggling) = (row.item.clone(), row.panel.clone(), controller.clone());
    let id = row.id;
    let panel = row.panel.clone();
    el("button")
        .attr("type", "button")
        .class("button icon more")
        .attr("aria-haspopup", "menu")
        .live_attr("aria-label", move || {
            Some(item.with(|item| fill(texts.more_named, &[("text", text_of(item))])))
        })
        .live_attr("aria-expanded", move || {
            Some(open.with(|panel| matches!(panel, Panel::Menu(_))).to_string())
        })
        .on("click", move |_| {
            if panel.with_untracked(|panel| matches!(panel, Panel::Menu(_))) {
                close(&toggling, id);
            } else {
                let up = is_low(&toggling, id);
                toggling.open(id, Panel::Menu(up), ".menu-item");
            }
        })
        .child(icon(MORE))
        .view()
}

/// Whether the row stands so low in the window that a menu finds more room above.
fn is_low(controller: &Controller, id: ItemId) -> bool {
    let height = web_sys::window().and_then(|window| window.inner_height().ok()).and_then(|height| height.as_f64());
    let row = controller.row_element(id).map(|row| row.get_bounding_client_rect());
    match (height, row) {
        (Some(height), Some(row)) => height - row.top() < 340.0 && row.top() > 340.0,
        _ => false,
    }
}

fn close(controller: &Controller, id: ItemId) {
    if let Some(row) = controller.screen().row(id) {
        row.panel.set(Panel::Closed);
    }
    controller.focus_in_row(id, ".more");
}

/// The open menu.
#[must_use]
pub fn menu(controller: &Controller, row: &Row, mode: &Mode, up: bool) -> AnyView {
    let item = row.item.get_untracked();
    let texts = mode.texts();
    let offers = controller.with_state(|state| offers(state, &item, mode));
    if offers.is_empty() {
        return nothing();
    }
    let items = offers
        .into_iter()
        .map(|offer| {
            let label = match offer {
                Offer::NotApplicable => texts.mark_not_applicable,
                Offer::AppliesAgain => texts.applies_again,
                Offer::Note => texts.note,
                Offer::Assign => texts.assign,
                Offer::Due => texts.due_date,
                Offer::AddInside => texts.add_item,
                Offer::Up => texts.move_up,
                Offer::Down => texts.move_down,
                Offer::Position => texts.move_to,
                Offer::Delete => texts.delete,
            };
            let class = if offer == Offer::Delete { "menu-item danger" } else { "menu-item" };
            let (acting, id) = (controller.clone(), item.id);
            el("button")
                .attr("type", "button")
                .attr("class", class)
                .attr("role", "menuitem")
                .attr("tabindex", "-1")
                .on("click", move |_| choose(&acting, id, offer))
                .text(label)
                .view()
        })
        .collect();
    let (keys, leaving) = (controller.clone(), row.panel.clone());
    let id = item.id;
    el("div")
        .attr("class", if up { "menu up" } else { "menu" })
        .part("menu")
        .attr("role", "menu")
        .attr("aria-label", fill(texts.more_named, &[("text", text_of(&item))]))
        .on("keydown", move |event| {
            let Some(key) = event.dyn_ref::<KeyboardEvent>() else { return };
            let step = match key.key().as_str() {
                "ArrowDown" => Step::By(1),
                "ArrowUp" => Step::By(-1),
                "Home" => Step::First,
                "End" => Step::Last,
                "Escape" => {
                    event.prevent_default();
                    event.stop_propagation();
                    close(&keys, id);
                    return;
                }
                _ => {
                    // Keys of the rows mean nothing in a menu.
                    event.stop_propagation();
                    return;
                }
            };
            event.prevent_default();
            event.stop_propagation();
            rove(&event, step);
        })
        .on("focusout", move |event| {
            let menu = event.current_target().and_then(|menu| menu.dyn_into::<Node>().ok());
            let next = event.dyn_ref::<FocusEvent>().and_then(FocusEvent::related_target);
            let next = next.and_then(|next| next.dyn_into::<Node>().ok());
            let inside = menu.is_some_and(|menu| menu.contains(next.as_ref()));
            // The button itself toggles; closing here as well would open it again at once.
            let button = next.and_then(|next| next.dyn_into::<Element>().ok()).is_some_and(|next| {
                next.get_attribute("aria-expanded").is_some()
            });
            if !inside && !button {
                let open = leaving.with_untracked(|panel| matches!(panel, Panel::Menu(_)));
                if open {
                    leaving.set(Panel::Closed);
                }
            }
        })
        .children(items)
        .view()
}

enum Step {
    By(i32),
    First,
    Last,
}

/// Moves the focus among the menu's items, round and round.
fn rove(event: &web_sys::Event, step: Step) {
    let Some(menu) = event.current_target().and_then(|menu| menu.dyn_into::<Element>().ok()) else { return };
    let items = menu.children();
    let count = items.length();
    let focused = (0..count).find(|at| {
        let origin = crate::browser::origin(event);
        items.item(*at).is_some_and(|item| origin.is_some_and(|origin| item.is_same_node(Some(&origin))))
    });
    let at = match (step, focused) {
        (Step::First, _) | (Step::By(_), None) => 0,
        (Step::Last, _) => count.saturating_sub(1),
        (Step::By(1), Some(at)) => (at + 1) % count,
        (Step::By(_), Some(at)) => (at + count - 1) % count,
    };
    if let Some(item) = items.item(at).and_then(|item| item.dyn_into::<HtmlElement>().ok()) {
        let _ = item.focus();
    }
}

fn choose(controller: &Controller, id: ItemId, offer: Offer) {
    // Closed first: what is chosen may open something else in the row.
    if let Some(row) = controller.screen().row(id) {
        row.panel.set(Panel::Closed);
    }
    match offer {
        Offer::NotApplicable => controller.ask_reason(id),
        Offer::AppliesAgain => {
            controller.set_status(id, Status::Open, None);
            controller.focus_row(id);
        }
        Offer::Note => controller.edit_details(id, Detail::Note),
        Offer::Assign => controller.edit_details(id, Detail::Assignee),
        Offer::Due => controller.edit_details(id, Detail::Due),
        Offer::AddInside => add_row::open(controller, Some(id)),
        Offer::Up => move_and_stay(controller, id, true),
        Offer::Down => move_and_stay(controller, id, false),
        Offer::Position => {
            let at = controller.item(id).and_then(|item| {
                let among = controller.with_state(|state| moves::siblings(state, item.parent_id));
                among.iter().position(|other| *other == id)
            });
            controller.open(id, Panel::Position((at.unwrap_or(0) + 1).to_string()), ".editor input");
        }
        Offer::Delete => controller.delete(id),
    }
}

fn move_and_stay(controller: &Controller, id: ItemId, up: bool) {
    controller.move_by(id, up);
    // Back to the button, because moving once more is the likeliest wish.
    controller.focus_in_row(id, ".more");
}
