//! The view of a control: what is drawn in which state, and the one root of its events.
//!
//! Built once for a mode and again when the mode changes; everything else follows signals.
//! Inner `input` and `change` events end here, because hosts get their own pair. Mounted by the
//! element and by `ChecklistControl`.

use checklist_shared::progress::State;
use leptos::html;
use leptos::prelude::*;

use super::Controller;
use super::mode::Mode;
use super::screen::Phase;
use crate::components::element::{button, el, live, nothing, slot};
use crate::components::{add_row, footer, header, list, messages, strip};
use crate::keyboard::on_key;
use crate::state::notice::Refusal;

/// The whole control.
#[expect(non_snake_case, reason = "a component, called by hosts like any other")]
pub fn ControlView(controller: Controller) -> impl IntoView {
    let root = NodeRef::<html::Div>::new();
    controller.set_root(root);
    let keys = controller.clone();
    let mode = controller.screen().mode.clone();
    let spoken = controller.screen().spoken.clone();
    let drawn = live(move || card(&controller, &mode.get()));
    html::div()
        .class("control")
        .node_ref(root)
        .on(leptos::ev::input, |event| event.stop_propagation())
        .on(leptos::ev::change, |event| event.stop_propagation())
        .on(leptos::ev::keydown, move |event| on_key(&keys, &event))
        .child(drawn)
        .child(el("div").class("sr").attr("role", "status").attr("aria-live", "polite").live_text(move || spoken.get()).view())
}

fn card(controller: &Controller, mode: &Mode) -> AnyView {
    let summary = controller.screen().summary.clone();
    let phase = controller.screen().phase.clone();
    let loading = controller.screen().phase.clone();
    let (controller, mode) = (controller.clone(), mode.clone());
    let (language, direction) = (mode.language.tag(), mode.language.direction());
    let (busy, state) = (loading.clone(), loading);
    el("section")
        .part("card")
        .attr("lang", language)
        .attr("dir", direction)
        .attr("role", "group")
        .attr("aria-labelledby", controller.dom_id("title"))
        .attr("aria-describedby", controller.dom_id("count"))
        .live_attr("aria-busy", move || busy.with(|phase| (*phase == Phase::Loading).then(|| "true".to_owned())))
        .live_attr("class", move || {
            let complete = summary.with(|summary| summary.state == State::Complete);
            let class = match (state.with(|phase| *phase == Phase::Ready), complete) {
                (false, _) => "card loading",
                (true, true) => "card completed",
                (true, false) => "card",
            };
            Some(class.to_owned())
        })
        .live(move || match phase.get() {
            Phase::Loading => skeleton(&controller, &mode),
            Phase::Failed(refusal) => failure(&controller, &mode, &refusal),
            Phase::Ready => ready(&controller, &mode),
        })
        .view()
}

fn ready(controller: &Controller, mode: &Mode) -> AnyView {
    vec![
        header::header(controller, mode),
        strip::strips(controller, mode),
        messages::messages(controller, mode),
        list::groups(controller, mode),
        empty(controller, mode),
        add_row::add_row(controller, mode, None),
        footer::footer(controller, mode),
    ]
    .into_any()
}

fn empty(controller: &Controller, mode: &Mode) -> AnyView {
    let groups = controller.screen().groups.clone();
    let texts = mode.texts();
    let help = if mode.add { texts.empty_add } else { texts.empty_read };
    live(move || {
        if groups.with(|groups| !groups.is_empty()) {
            return nothing();
        }
        el("div")
            .class("empty")
            .part("empty")
            .el(slot("empty")
                .el(el("p").class("empty-title").text(texts.empty))
                .el(el("p").text(help)))
            .view()
    })
}

fn skeleton(controller: &Controller, mode: &Mode) -> AnyView {
    let bars = (0..6).map(|_| el("span").view()).collect();
    vec![
        header::header(controller, mode),
        el("p").class("sr").text(mode.texts().loading).view(),
        el("div").class("skeleton").attr("aria-hidden", "true").children(bars).view(),
    ]
    .into_any()
}

fn failure(controller: &Controller, mode: &Mode, refusal: &Refusal) -> AnyView {
    let texts = mode.texts();
    let again = controller.clone();
    vec![
        header::header(controller, mode),
        el("div")
            .class("failure")
            .part("failure")
            .attr("role", "alert")
            .el(el("div")
                .el(el("p").el(el("strong").text(texts.load_failed)))
                .el(el("p").attr("dir", "auto").text(refusal.sentence(texts))))
            .el(button("button", texts.try_again, move |_| again.load_again()))
            .view(),
    ]
    .into_any()
}
