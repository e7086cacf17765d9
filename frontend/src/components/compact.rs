//! The compact form: how far a list is in one line, a button that opens the list in place.
//!
//! For tables of many objects. The state stands there in words, the bar only repeats it. Called by
//! `control::view`.

use checklist_shared::progress::State;

use super::at::At;
use super::element::{El, el};
use super::header;
use super::icon::{CHEVRON, icon};
use crate::control::screen::{Face, Phase};

/// The line; the list that it opens has the id that it names.
#[must_use]
pub fn line(at: At, face: &Face) -> El {
    let texts = at.texts();
    let summary = &face.summary;
    let words = match (&face.phase, summary.state) {
        (Phase::Loading, _) => texts.loading().to_owned(),
        (Phase::Failed(_), _) => texts.load_failed().to_owned(),
        (Phase::Ready, State::Complete) => texts.completed().to_owned(),
        (Phase::Ready, State::Empty) => texts.empty().to_owned(),
        (Phase::Ready, _) => header::count_sentence(summary, at.mode.words),
    };
    // Among two hundred lines, whoever hears one has to know which list it is of.
    let name = summary.title.clone();
    let name = name.map(|name| el("span|class=sr").el(el("bdi").text(name)).text(": "));
    let complete = face.phase == Phase::Ready && summary.state == State::Complete;
    el("button|type=button|part=compact")
        .class(if complete {
            "compact complete"
        } else {
            "compact"
        })
        .fixed("lang", at.mode.words.language.tag())
        .fixed("dir", at.mode.words.language.direction())
        .fixed("aria-expanded", if face.opened { "true" } else { "false" })
        .attr("aria-controls", at.controller.dom_id("list"))
        .on("click", at, |at, _| {
            at.show(|face| face.opened = !face.opened)
        })
        .maybe(name)
        .maybe(
            (face.phase == Phase::Ready)
                .then(|| el("span|class=progress|aria-hidden=true").el(header::bar(summary))),
        )
        .el(el("span|class=count").text(words))
        .child(icon(CHEVRON))
}
