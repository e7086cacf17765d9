//! The foot of a list: what is still open, by name, and the way to it.
//!
//! A gate that only says "no" is no help; this one says why. Called by `control::view`.

use super::at::At;
use super::element::{View, button, el, nothing};
use crate::control::publish::still_open;
use crate::control::screen::Face;

/// The foot; nothing when nothing is open.
#[must_use]
pub fn footer(at: At, face: &Face) -> View {
    let open = still_open(&face.summary, at.mode.words);
    if open.is_empty() {
        return nothing();
    }
    let go = button("button", at.texts().go_to_first(), at, |at, _| {
        at.controller.focus_first_open()
    });
    el("footer|footer")
        .el(el("p|gate")
            .attr("id", at.controller.dom_id("gate"))
            .text(open))
        .maybe((!at.mode.disabled).then_some(go))
        .view()
}
