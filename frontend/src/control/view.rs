//! The view of a control: what is drawn in which state, and the one root of its events.
//!
//! Built once for a mode and again when the mode changes; everything else follows signals.
//! Inner `input` and `change` events end here, because hosts get their own pair. Mounted by the
//! element and by `ChecklistControl`.

use checklist_shared::progress::State;
use leptos::html;
use leptos::prelude::*;

use super::Controller;
use super::screen::Phase;
use crate::components::at::At;
use crate::components::element::{button, el, live, nothing, slot};
use crate::components::{add_row, footer, header, list, messages, strip};
use crate::keyboard::on_key;
use crate::state::notice::Refusal;

/// The whole control.
#[expect(non_snake_case, reason = "a component, called by hosts like any other")]
pub fn ControlView(controller: Controller) -> impl IntoView {
    let root = NodeRef::<html::Div>::new();
    controller.set_root(root);
    let drawn = live(controller, |controller| {
        card(At::of(controller, controller.screen().mode.get()))
    });
    let spoken = el("div")
        .class("sr")
        .attr("role", "status")
        .attr("aria-live", "polite")
        .live_text(controller, |controller| controller.screen().spoken.get());
    html::div()
        .class("control")
        .node_ref(root)
        .on(leptos::ev::input, |event| event.stop_propagation())
        .on(leptos::ev::change, |event| event.stop_propagation())
        .on(leptos::ev::keydown, move |event| on_key(controller, &event))
        .child(drawn)
        .child(spoken.view())
}

fn card(at: At) -> AnyView {
    el("section")
        .part("card")
        .attr("lang", at.mode.language.tag())
        .attr("dir", at.mode.language.direction())
        .attr("role", "group")
        .attr("aria-labelledby", at.controller.dom_id("title"))
        .attr("aria-describedby", at.controller.dom_id("count"))
        .live_attr("aria-busy", at, |at| {
            (at.screen().phase.get() == Phase::Loading).then(|| "true".to_owned())
        })
        .live_attr("class", at, |at| {
            let complete = at
                .screen()
                .summary
                .with(|summary| summary.state == State::Complete);
            let class = match (at.screen().phase.get() == Phase::Ready, complete) {
                (false, _) => "card loading",
                (true, true) => "card completed",
                (true, false) => "card",
            };
            Some(class.to_owned())
        })
        .live(at, |at| {
            el("div")
                .child(header::header(at))
                .children(match at.screen().phase.get() {
                    Phase::Loading => skeleton(at),
                    Phase::Failed(refusal) => failure(at, &refusal),
                    Phase::Ready => ready(at),
                })
                .view()
        })
        .view()
}

fn ready(at: At) -> Vec<AnyView> {
    vec![
        strip::strips(at),
        messages::messages(at),
        list::groups(at),
        live(at, empty),
        add_row::add_row(at),
        footer::footer(at),
    ]
}

fn empty(at: At) -> AnyView {
    if at.screen().groups.with(|groups| !groups.is_empty()) {
        return nothing();
    }
    let texts = at.texts();
    let help = if at.mode.add {
        texts.empty_add
    } else {
        texts.empty_read
    };
    el("div")
        .class("empty")
        .part("empty")
        .el(slot("empty")
            .el(el("p").class("empty-title").text(texts.empty))
            .el(el("p").text(help)))
        .view()
}

fn skeleton(at: At) -> Vec<AnyView> {
    let bars = (0..6).map(|_| el("span").view()).collect();
    vec![
        el("p").class("sr").text(at.texts().loading).view(),
        el("div")
            .class("skeleton")
            .attr("aria-hidden", "true")
            .children(bars)
            .view(),
    ]
}

fn failure(at: At, refusal: &Refusal) -> Vec<AnyView> {
    let texts = at.texts();
    let failure = el("div")
        .class("failure")
        .part("failure")
        .attr("role", "alert")
        .el(el("div")
            .el(el("p").el(el("strong").text(texts.load_failed)))
            .el(el("p").attr("dir", "auto").text(refusal.sentence(texts))))
        .el(button("button", texts.try_again, at, |at, _| {
            at.controller.load_again()
        }));
    vec![failure.view()]
}
