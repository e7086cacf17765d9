//! The foot of a list: what is still open, by name, and the way to it.
//!
//! A gate that only says "no" is no help; this one says why. Called by `control::view`.

use leptos::prelude::*;

use super::element::{button, el, live, nothing};
use crate::control::Controller;
use crate::control::controller::still_open;
use crate::control::mode::Mode;

/// The foot; nothing when nothing is open.
#[must_use]
pub fn footer(controller: &Controller, mode: &Mode) -> AnyView {
    let (summary, controller, mode) = (controller.screen().summary.clone(), controller.clone(), mode.clone());
    live(move || {
        let open = summary.with(|summary| still_open(summary, mode.language));
        if open.is_empty() {
            return nothing();
        }
        let going = controller.clone();
        let go = (!mode.disabled).then(|| {
            button("button", mode.texts().go_to_first, move |_| going.focus_first_open()).view()
        });
        el("footer")
            .class("footer")
            .part("footer")
            .el(el("p").class("gate").part("gate").attr("dir", "auto").text(open))
            .maybe(go)
            .view()
    })
}
