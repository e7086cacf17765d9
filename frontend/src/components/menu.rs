//! The menu of a row: everything that can be done with an item, without dragging.
//!
//! A menu button with a menu: arrow keys move, Escape and leaving close it, the focus returns to
//! the button. The menu is in the top layer, so that no container clips it. It contains only what the
//! mode permits.

use checklist_shared::item::Status;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, FocusEvent, HtmlElement, KeyboardEvent, Node};

use super::add_row;
use super::at::ViewContext;
use super::icon::{Icon, MORE};
use super::offer::{OFFERS, Offer};
use super::roving::rove;
use super::row::to_set_status;
use crate::browser;
use crate::digits;
use crate::i18n::fill;
use crate::kept::Kept;
use crate::model::item_fields::DetailField;
use crate::model::list::text_of;
use crate::model::message::UserAction;
use crate::screen::Panel;

/// The button that opens the menu.
#[component]
pub fn More(
    /// The control, and its row if there is one.
    at: ViewContext,
) -> impl IntoView {
    let open = at.row(|row| is_menu(&row.panel)) == Some(true);
    view! {
        <button
            type="button"
            class="button icon more"
            aria-haspopup="menu"
            title=at.texts().more()
            aria-label=label_with_text(at, at.texts().more_named())
            aria-expanded=if open { "true" } else { "false" }
            on:click=at.on(toggle)
            on:keydown=at.on(on_button_key)
        >
            <Icon path=MORE />
        </button>
    }
    .into_any()
}

fn toggle(at: ViewContext, _: &Event) {
    if at.row(|row| is_menu(&row.panel)) == Some(true) {
        close(at);
    } else {
        at.does(|id| UserAction::Open(id, Panel::Menu(is_low(at)), ".menu-item"));
    }
}

/// The focus reaches the menu a moment after it has opened; who is faster closes it all the same.
fn on_button_key(at: ViewContext, event: &Event) {
    let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key);
    if key.as_deref() == Some("Escape") && at.row(|row| is_menu(&row.panel)) == Some(true) {
        event.prevent_default();
        event.stop_propagation();
        close(at);
    }
}

/// A label with the item's text in it.
pub(super) fn label_with_text(at: ViewContext, label: &str) -> String {
    at.read(|item| fill(label, &[("text", text_of(item))]))
        .unwrap_or_default()
}

const fn is_menu(panel: &Panel) -> bool {
    matches!(panel, Panel::Menu(_))
}

/// Whether the row is so low in the window that there is more space above it for a menu.
fn is_low(at: ViewContext) -> bool {
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

fn close(at: ViewContext) {
    at.act(|controller, id| {
        controller.show_row(id, |row| row.panel = Panel::Closed);
        controller.focus_in_row(id, ".more");
    });
}

/// Renders the open menu.
#[component]
pub fn Menu(
    /// The control, and its row if there is one.
    at: ViewContext,
    /// Whether it opens above the button, because there is no space below.
    up: bool,
) -> impl IntoView {
    let mode = at.mode();
    let item = at.item.and_then(|id| at.controller.item(id));
    item.map(|item| {
        let open = |offer: &Offer| {
            at.controller
                .with_state(|state| offer.is_open(state, &item, mode))
        };
        let offers = (0..).zip(OFFERS).filter(|(_, offer)| open(offer));
        let items: Vec<_> = offers
            .map(|(number, offer)| entry(at.number(number), offer))
            .collect();
        view! {
            <div
                class=if up { "menu up" } else { "menu" }
                part="menu"
                role="menu"
                {..Kept::Attribute("popover", "manual")}
                use:in_top_layer=at
                aria-label=label_with_text(at, at.texts().more_named())
                on:keydown=at.on(on_key)
                on:focusout=at.on(on_leave)
            >
                {items}
            </div>
        }
        .into_any()
    })
}

/// Puts a menu into the top layer, as soon as it is on the page; and again when rows have changed
/// places, because an element that is moved leaves it.
fn in_top_layer(menu: Element, at: ViewContext) {
    let show = move || {
        let menu = menu.clone();
        browser::soon(Box::new(move || {
            if let Ok(menu) = menu.dyn_into() {
                place(&menu, at);
            }
        }));
    };
    show();
    Effect::new(move |_| {
        at.controller.screen().groups.track();
        show();
    });
}

/// Positions the menu next to its button and inside the window. Measured, because browsers with
/// CSS anchor positioning leave a menu that fits on no side out of reach.
fn place(menu: &HtmlElement, at: ViewContext) {
    /// The least distance to the window's edges, and from the button.
    const GAP: (f64, f64) = (8.0, 2.0);
    // Where there are no popovers it stays where the style sheet puts it.
    if menu.show_popover().is_err() {
        return;
    }
    let row = at.item.and_then(|id| at.controller.row_element(id));
    let button = row.and_then(|row| row.query_selector(".more").ok().flatten());
    let window = web_sys::window();
    let page = window
        .as_ref()
        .and_then(|window| window.document()?.document_element());
    let (Some(button), Some(window), Some(page)) = (button, window, page) else {
        return;
    };
    let (button, size) = (
        button.get_bounding_client_rect(),
        menu.get_bounding_client_rect(),
    );
    let (edge, gap) = GAP;
    let (below, above) = (button.bottom() + gap, button.top() - gap - size.height());
    let lowest = f64::from(page.client_height()) - edge - size.height();
    let top = if below > lowest && above >= edge {
        above
    } else {
        below.min(lowest)
    };
    let left = if at.mode().words.language.direction() == "rtl" {
        button.left()
    } else {
        button.right() - size.width()
    };
    let rightmost = f64::from(page.client_width()) - edge - size.width();
    let style = menu.style();
    let scrolled = |offset: Result<f64, _>| offset.unwrap_or_default();
    for (side, at, scroll) in [
        ("top", top, scrolled(window.scroll_y())),
        ("left", left.min(rightmost), scrolled(window.scroll_x())),
    ] {
        let _ = style.set_property(
            side,
            &[&digits::format(at.max(edge) + scroll), "px"].concat(),
        );
    }
}

fn entry(at: ViewContext, offer: Offer) -> AnyView {
    let class = if offer == Offer::Delete {
        "menu-item danger"
    } else {
        "menu-item"
    };
    let (keys, named) = offer.keys(at.texts(), browser::is_mac()).unzip();
    let keys =
        keys.map(|keys| view! { <kbd class="keys" aria-hidden="true">{keys}</kbd> }.into_any());
    let is_selected = at.row(|row| row.selected) == Some(true);
    view! {
        <button
            type="button"
            class=class
            role="menuitem"
            tabindex="-1"
            aria-keyshortcuts=named
            on:click=at.on(choose)
        >
            <Icon path=offer.icon() />
            <span>{offer.label(at.texts(), is_selected)}</span>
            {keys}
        </button>
    }
    .into_any()
}

fn on_key(at: ViewContext, event: &Event) {
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

fn on_leave(at: ViewContext, event: &Event) {
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

fn choose(at: ViewContext, _event: &Event) {
    let (Some(id), Some(offer)) = (at.item, OFFERS.get(at.number as usize)) else {
        return;
    };
    let controller = at.controller;
    // Closed first: what is chosen may open something else in the row.
    at.show_row(|row| row.panel = Panel::Closed);
    match offer {
        Offer::Select => controller.toggle_selected(id),
        Offer::Edit => controller.does(UserAction::EditText(id)),
        Offer::Answer => controller.does(UserAction::AskSupport(id)),
        Offer::NotApplicable => {
            controller.does(UserAction::AskReason(id, Status::NotApplicable));
        }
        Offer::AppliesAgain => {
            let item = controller.item(id);
            let action = to_set_status(item.as_ref(), id, Status::Open);
            // Where something is asked first, the question has the focus.
            let is_set = matches!(action, UserAction::SetStatus(..));
            controller.does(action);
            if is_set {
                controller.focus_row(id);
            }
        }
        Offer::Details => controller.does(UserAction::EditDetails(id, DetailField::Note)),
        Offer::AddInside => add_row::open(at),
        Offer::History => controller.does(UserAction::OpenHistory(id)),
        Offer::Up | Offer::Down => {
            controller.does(UserAction::MoveBy(id, *offer == Offer::Up));
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
            controller.does(UserAction::Open(
                id,
                Panel::Position(place.to_string()),
                ".editor input",
            ));
        }
        Offer::Delete => controller.does(UserAction::Delete(id)),
    }
}
