//! The foot of a list: what is still open, by name, and the way to it.
//!
//! A gate that only says "no" is no help; this one says why. Called by `control::view`.

use leptos::prelude::*;

use super::at::At;
use super::element::{button, el, live, nothing};
use crate::control::controller::still_open;

/// The foot; nothing when nothing is open.
#[must_use]
pub fn footer(at: At) -> AnyView {
    live(at, |at| {
        let open = at
            .screen()
            .summary
            .with(|summary| still_open(summary, at.mode.language));
        if open.is_empty() {
            return nothing();
        }
        let go = button("button", at.texts().go_to_first, at, |at, _| {
            at.controller.focus_first_open()
        });
        el("footer")
            .class("footer")
            .part("footer")
            .el(el("p")
                .class("gate")
                .part("gate")
                .attr("dir", "auto")
                .text(open))
            .maybe((!at.mode.disabled).then(|| go.view()))
            .view()
    })
}
