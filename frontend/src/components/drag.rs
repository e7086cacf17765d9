//! Drags rows by a handle, or after a long press.
//!
//! An alternative to the moves of menu and keyboard, with the same operation. A line shows the drop
//! position; near an edge the list scrolls; Escape cancels. The drop position is computed again each
//! time, so that a list that changes during the drag cannot mislead.

use std::cell::RefCell;

use checklist_shared::ItemId;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, Event, KeyboardEvent, PointerEvent, ShadowRoot};

use super::at::ViewContext;
use super::edge_scroll::scroll_near;
use crate::STILL;
use crate::browser;
use crate::effects::Controller;
use crate::model::dragging::{DropPosition, DropTarget, end_of, spot_at};
use crate::model::message::UserAction;
use crate::screen::Groups;

/// CSS pixels that a pointer moves before it drags.
const CALM: f64 = 4.0;
/// Milliseconds between two steps of scrolling.
const FRAME: u32 = 16;

/// A row on its way.
struct Drag {
    controller: Controller,
    id: ItemId,
    pointer: i32,
    from: (f64, f64),
    at: (f64, f64),
    /// Whether it has moved so far that it is one.
    is_on: bool,
    spot: Option<DropPosition>,
    /// Hears Escape wherever the focus is.
    on_key: Closure<dyn FnMut(Event)>,
}

thread_local! {
    /// One at a time, on the whole page.
    static DRAG: RefCell<Option<Drag>> = const { RefCell::new(None) };
}

/// The handle of a row; nothing where rows stay where they are.
#[must_use]
pub fn handle(at: ViewContext, is_movable: bool) -> Option<AnyView> {
    if STILL || !is_movable || !at.mode().reorder {
        return None;
    }
    // The keyboard and assistive technology have the moves of the menu.
    let view = view! { <span class="drag" part="handle" aria-hidden="true" title=at.texts().drag()></span> };
    Some(view.into_any())
}

/// The line that shows where a row falls.
#[must_use]
pub fn drop_line() -> Option<AnyView> {
    (!STILL).then(|| view! { <div class="drop-line" aria-hidden="true" hidden></div> }.into_any())
}

/// Pointer down: on a handle it starts a drag.
pub fn on_pointer_down(controller: Controller, event: &Event) {
    let Some(pointer) = event.dyn_ref::<PointerEvent>() else {
        return;
    };
    let is_first = pointer.is_primary() && pointer.button() == 0;
    if is_first
        && is_handle(event)
        && let Some(id) = controller.row_of_event(event)
    {
        begin(controller, id, pointer);
    }
}

/// No text is selected while a row is dragged.
pub fn on_press(event: &Event) {
    if is_handle(event) {
        event.prevent_default();
    }
}

/// A finger that has rested on a row drags it when it moves on.
pub fn take_up(controller: Controller, id: ItemId, pointer: &PointerEvent) {
    if !is_busy() && controller.mode().reorder {
        begin(controller, id, pointer);
    }
}

/// Whether a row is being dragged, or about to be.
pub fn is_busy() -> bool {
    DRAG.with_borrow(Option::is_some)
}

/// Moves the drop line with the pointer.
pub fn on_pointer_move(event: &Event) {
    let Some(pointer) = event.dyn_ref::<PointerEvent>() else {
        return;
    };
    let begun = DRAG.with_borrow_mut(|drag| {
        let drag = drag
            .as_mut()
            .filter(|it| it.pointer == pointer.pointer_id())?;
        drag.at = place(pointer);
        let far = (drag.at.0 - drag.from.0).hypot(drag.at.1 - drag.from.1) > CALM;
        let begins = far && !drag.is_on;
        drag.is_on |= far;
        drag.is_on.then_some((drag.controller, drag.id, begins))
    });
    let Some((controller, id, begins)) = begun else {
        return;
    };
    if begins {
        mark(controller, Some(id));
        follow_edges();
    }
    update_drop_target();
}

/// The pointer is gone: what was dragged falls.
pub fn on_pointer_up(event: &Event) {
    if is_of(event) {
        update_drop_target();
        if let Some(drag) = end()
            && let Some(spot) = drag.spot
        {
            drag.controller.does(UserAction::Drop(drag.id, spot));
        }
    }
}

/// The browser takes the pointer away.
pub fn on_pointer_cancel(event: &Event) {
    if is_of(event) {
        end();
    }
}

fn is_of(event: &Event) -> bool {
    let pointer = event
        .dyn_ref::<PointerEvent>()
        .map(PointerEvent::pointer_id);
    DRAG.with_borrow(|drag| drag.as_ref().map(|drag| drag.pointer)) == pointer && pointer.is_some()
}

fn is_handle(event: &Event) -> bool {
    browser::origin(event).is_some_and(|origin| origin.class_list().contains("drag"))
}

fn place(pointer: &PointerEvent) -> (f64, f64) {
    (f64::from(pointer.client_x()), f64::from(pointer.client_y()))
}

fn begin(controller: Controller, id: ItemId, pointer: &PointerEvent) {
    let on_key = Closure::<dyn FnMut(Event)>::new(|event: Event| {
        let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key);
        if key.as_deref() == Some("Escape") {
            event.prevent_default();
            event.stop_propagation();
            // Not from within: what is called now cannot be given back.
            browser::soon(Box::new(|| {
                end();
            }));
        }
    });
    if let Some(window) = web_sys::window() {
        let hears = on_key.as_ref().unchecked_ref();
        let _ = window.add_event_listener_with_callback_and_bool("keydown", hears, true);
    }
    // By the root, because the row may be drawn anew, or go.
    if let Some(root) = controller.root() {
        let _ = root.set_pointer_capture(pointer.pointer_id());
    }
    let from = place(pointer);
    let before = DRAG.replace(Some(Drag {
        controller,
        id,
        pointer: pointer.pointer_id(),
        from,
        at: from,
        is_on: false,
        spot: None,
        on_key,
    }));
    drop(before);
}

/// Ends a drag; returns it if there was one.
fn end() -> Option<Drag> {
    let drag = DRAG.take()?;
    if let Some(window) = web_sys::window() {
        let hears = drag.on_key.as_ref().unchecked_ref();
        let _ = window.remove_event_listener_with_callback_and_bool("keydown", hears, true);
    }
    if let Some(root) = drag.controller.root() {
        let _ = root.release_pointer_capture(drag.pointer);
    }
    mark(drag.controller, None);
    show_line(drag.controller, None);
    drag.is_on.then_some(drag)
}

/// Marks the row that is dragged.
fn mark(controller: Controller, id: Option<ItemId>) {
    if let Some(row) = controller.find(".row.dragging") {
        let _ = row.class_list().remove_1("dragging");
    }
    if let Some(row) = id.and_then(|id| controller.row_element(id)) {
        let _ = row.class_list().add_1("dragging");
    }
}

/// Finds where the row would fall now, and shows it.
fn update_drop_target() {
    let now = DRAG.with_borrow(|drag| {
        let drag = drag.as_ref().filter(|drag| drag.is_on)?;
        Some((drag.controller, drag.at))
    });
    let Some((controller, (_, y))) = now else {
        return;
    };
    let aimed = aim_at(controller, y);
    show_line(controller, aimed.map(|(_, line)| line));
    DRAG.with_borrow_mut(|drag| {
        if let Some(drag) = drag.as_mut() {
            drag.spot = aimed.map(|(spot, _)| spot);
        }
    });
}

/// The spot at that height, and where the line is.
fn aim_at(controller: Controller, y: f64) -> Option<(DropPosition, f64)> {
    let groups = controller.find(".groups")?.get_bounding_client_rect();
    let x = groups.left() + groups.width() / 2.0;
    let y = y.clamp(
        groups.top().max(0.0) + 1.0,
        groups.bottom().min(browser::height()) - 1.0,
    );
    let under = element_under(controller, x, y)?;
    let screen = controller.screen();
    let spot_of = |half| {
        screen.groups.with_untracked(|groups: &Groups| {
            controller.with_state(|state| spot_at(state, groups, half))
        })
    };
    if let Some(element) = under.closest("[data-id]").ok().flatten() {
        let id = element.get_attribute("data-id")?.parse().ok()?;
        let area = element.get_bounding_client_rect();
        let is_upper = y < area.top() + area.height() / 2.0;
        let line = if is_upper { area.top() } else { area.bottom() };
        return Some((spot_of(DropTarget { id, is_upper })?, line));
    }
    // Beside the rows of a group: at its end.
    let group = under.closest(".group").ok().flatten()?;
    let last = group.query_selector_all(".row[data-id]").ok()?;
    let last = last
        .get(last.length().checked_sub(1)?)?
        .dyn_into::<Element>()
        .ok()?;
    let id: ItemId = last.get_attribute("data-id")?.parse().ok()?;
    let spot = screen.groups.with_untracked(|groups| {
        let group = groups.iter().find(|(_, rows)| rows.contains(&id))?;
        end_of(group)
    });
    Some((spot?, last.get_bounding_client_rect().bottom()))
}

fn element_under(controller: Controller, x: f64, y: f64) -> Option<Element> {
    let root = controller.root()?;
    let (x, y) = (x as f32, y as f32);
    let found = match root.get_root_node().dyn_into::<ShadowRoot>() {
        Ok(shadow) => shadow.element_from_point(x, y),
        Err(_) => web_sys::window()?.document()?.element_from_point(x, y),
    };
    found.filter(|found| root.contains(Some(found)))
}

fn show_line(controller: Controller, at: Option<f64>) {
    let (Some(line), Some(groups)) = (controller.find(".drop-line"), controller.find(".groups"))
    else {
        return;
    };
    line.set_hidden(at.is_none());
    if let Some(at) = at {
        let top = at - groups.get_bounding_client_rect().top();
        let _ = line
            .style()
            .set_property("top", &[&top.to_string(), "px"].concat());
    }
}

/// Scrolls while the pointer is near an edge, until the drag ends.
fn follow_edges() {
    let now = DRAG.with_borrow(|drag| drag.as_ref().map(|drag| (drag.controller, drag.at.1)));
    let Some((controller, y)) = now else { return };
    if controller.root().is_some_and(|root| scroll_near(&root, y)) {
        update_drop_target();
    }
    browser::set_timeout(FRAME, Box::new(follow_edges));
}
