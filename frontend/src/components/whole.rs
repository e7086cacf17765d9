//! A complete control: the line of a compact one, the card, the live region, and the root that handles
//! its events.
//!
//! Inner `input` and `change` events stop here, because hosts get the control's own pair.

use leptos::prelude::*;
use web_sys::{Element, Event};

use super::at::ViewContext;
use super::card::Card;
use super::compact::CompactLine;
use super::keyboard::on_key;
use super::late_views;
use super::{drag, pasted, picking};
use crate::STILL;
use crate::effects::Controller;
use crate::pointing;

/// Renders a complete control.
#[component]
pub fn Whole(
    /// The controller of the control.
    controller: Controller,
) -> impl IntoView {
    late_views::provide();
    let at = ViewContext::of(controller);
    let screen = move || controller.screen();
    let is_open =
        Memo::new(move |_| !screen().mode.get().compact || screen().card.with(|card| card.opened));
    let spoken = move || {
        screen().card.with(|card| {
            let spoken = &card.spoken;
            (!spoken.is_empty()).then(|| spoken.clone())
        })
    };
    view! {
        <div
            class=if STILL { "control still" } else { "control" }
            on:input=at.on(|_, event| event.stop_propagation())
            on:change=at.on(|_, event| event.stop_propagation())
            on:mousedown=at.on(on_press)
            on:click=at.on(on_click)
            on:pointerdown=at.on(on_pointer_down)
            on:pointermove=at.on(on_pointer_move)
            on:pointerup=at.on(on_pointer_up)
            on:pointercancel=at.on(on_pointer_cancel)
            on:touchmove=at.on(|_, event| picking::on_touch_move(event))
            on:contextmenu=at.on(|at, event| picking::on_context_menu(at.controller, event))
            on:keydown=at.on(|at, event| on_key(at.controller, event))
            on:paste=at.on(|at, event| pasted::on_paste(at.controller, event))
            use:root_of=controller
        >
            <CompactLine at />
            {move || is_open.get().then(|| view! { <Card at /> }.into_any())}
            <div class="sr" role="status" aria-live="polite">
                {move || spoken()}
            </div>
        </div>
    }
    .into_any()
}

fn on_press(at: ViewContext, event: &Event) {
    pointing::on_press(event);
    picking::on_press(at.controller, event);
    drag::on_press(event);
}

fn on_pointer_down(at: ViewContext, event: &Event) {
    picking::on_pointer_down(at.controller, event);
    drag::on_pointer_down(at.controller, event);
}

fn on_pointer_move(at: ViewContext, event: &Event) {
    picking::on_pointer_move(at.controller, event);
    drag::on_pointer_move(event);
}

fn on_pointer_up(_: ViewContext, event: &Event) {
    picking::on_pointer_end();
    drag::on_pointer_up(event);
}

fn on_pointer_cancel(_: ViewContext, event: &Event) {
    picking::on_pointer_end();
    drag::on_pointer_cancel(event);
}

fn on_click(at: ViewContext, event: &Event) {
    pointing::on_click(event);
    picking::on_click(at.controller, event);
}

/// Tells a controller of its element, as soon as it is made.
fn root_of(element: Element, controller: Controller) {
    controller.set_root(element);
}
