//! The view of a control: what is drawn in which state, and the one root of its events.
//!
//! Drawn as a whole whenever what the control shows has changed; the rows follow theirs by
//! themselves. Inner `input` and `change` events end here, because hosts get their own pair.
//! Mounted by the element and by `ChecklistControl`.

use checklist_shared::progress::State;

use super::Controller;
use super::screen::{Face, Phase};
use crate::components::at::{At, STILL};
use crate::components::element::{El, View, button, el, nothing, slot};
use crate::components::{add_row, compact, footer, header, list, messages, strip};
use crate::keyboard::on_key;
use crate::pointing;
use crate::state::notice::Refusal;

/// The whole control.
#[must_use]
pub fn whole(controller: Controller) -> View {
    View::Live(At::of(controller, controller.mode()), root)
}

fn root(at: At) -> View {
    let screen = at.controller.screen();
    screen.face.follow();
    screen.face.read(|face| {
        let at = At::of(at.controller, face.mode);
        el(if STILL {
            "div|class=control still"
        } else {
            "div|class=control"
        })
        .root_of(at.controller)
        .on("input", at, |_, event| event.stop_propagation())
        .on("change", at, |_, event| event.stop_propagation())
        .on("mousedown", at, |_, event| pointing::on_press(event))
        .on("click", at, |_, event| pointing::on_click(event))
        .on("keydown", at, |at, event| on_key(at.controller, event))
        .child(if at.mode.compact {
            compact::line(at, face).view()
        } else {
            nothing()
        })
        .child(if at.mode.compact && !face.opened {
            nothing()
        } else {
            card(at, face).view()
        })
        .el(el("div|class=sr|role=status|aria-live=polite").text(face.spoken.clone()))
        .view()
    })
}

fn card(at: At, face: &Face) -> El {
    let class = match (&face.phase, face.summary.state) {
        (Phase::Ready, State::Complete) => "card completed",
        (Phase::Ready, _) => "card",
        _ => "card loading",
    };
    let content = el("div").child(header::header(at, face));
    el("section|part=card|role=group")
        .class(class)
        .attr("id", at.controller.dom_id("list"))
        .fixed("lang", at.mode.words.language.tag())
        .fixed("dir", at.mode.words.language.direction())
        .attr("aria-labelledby", at.controller.dom_id("title"))
        .attr("aria-describedby", at.controller.dom_id("count"))
        .says_true("aria-busy", face.phase == Phase::Loading)
        .el(match &face.phase {
            Phase::Loading => skeleton(at, content),
            Phase::Failed(refusal) => content.el(failure(at, refusal)),
            Phase::Ready => content
                .el(strip::strips(at, face))
                .child(messages::messages(at, &face.messages))
                .child(View::Live(at, list::groups))
                .child(View::Live(at, empty))
                .child(add_row::add_row(at, face))
                .child(footer::footer(at, face)),
        })
}

fn empty(at: At) -> View {
    let groups = &at.controller.screen().groups;
    groups.follow();
    if groups.read(|groups| !groups.is_empty()) {
        return nothing();
    }
    let texts = at.texts();
    let help = if at.mode.add {
        texts.empty_add()
    } else {
        texts.empty_read()
    };
    el("div|empty")
        .el(slot("empty")
            .el(el("p|class=empty-title").text(texts.empty()))
            .el(el("p").text(help)))
        .view()
}

fn skeleton(at: At, content: El) -> El {
    let bars = (0..6).map(|_| el("span").view()).collect();
    content
        .el(el("p|class=sr").text(at.texts().loading()))
        .el(el("div|class=skeleton|aria-hidden=true").children(bars))
}

fn failure(at: At, refusal: &Refusal) -> El {
    let texts = at.texts();
    // Nothing was to be changed yet, so it is not a change that is refused.
    let sentence = match refusal {
        Refusal::Permission => texts.error_not_found().to_owned(),
        other => other.sentence(texts),
    };
    el("div|failure|role=alert")
        .el(el("div")
            .el(el("p").el(el("strong").text(texts.load_failed())))
            .el(el("p").text(sentence)))
        .el(button("button", texts.try_again(), at, |at, _| {
            at.controller.load_again()
        }))
}
