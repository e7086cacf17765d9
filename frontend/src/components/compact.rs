//! The compact form: the progress of a list in one line, and a button that opens the list in place.
//!
//! For tables of many objects. The state is shown as text; the bar only repeats it.

use checklist_shared::progress::State;
use leptos::prelude::*;
use web_sys::MouseEvent;

use super::at::{ViewContext, nothing};
use super::header::{Bar, percent};
use super::icon::{CHEVRON, Icon};
use crate::STILL;
use crate::model::sentences::count_sentence;
use crate::screen::Phase;

/// The line of a compact control; the list that it opens has the id that it names.
#[component]
pub fn CompactLine(
    /// The control, and its row if there is one.
    at: ViewContext,
) -> impl IntoView {
    at.live(line)
}

fn line(at: ViewContext) -> AnyView {
    at.follow_card();
    let mode = at.mode();
    if !mode.compact {
        return nothing();
    }
    let texts = mode.texts();
    let (summary, phase, opened) =
        at.card(|card| (card.summary.clone(), card.phase.clone(), card.opened));
    let words = match (&phase, summary.state) {
        (Phase::Loading, _) => texts.loading().to_owned(),
        (Phase::Failed(_), _) => texts.load_failed().to_owned(),
        (Phase::Ready, State::Complete) => texts.completed().to_owned(),
        (Phase::Ready, State::Empty) => texts.empty().to_owned(),
        (Phase::Ready, _) => count_sentence(&summary, mode.words),
    };
    // Among two hundred lines, whoever hears one has to know which list it is of.
    let name = summary.title.clone().map(|name| {
        view! {
            <span class="sr">
                <bdi>{name}</bdi>
                ": "
            </span>
        }
        .into_any()
    });
    let ready = phase == Phase::Ready;
    let bar = ready.then(|| {
        view! {
            <span class="progress" aria-hidden="true">
                <Bar share=percent(&summary) />
            </span>
        }
        .into_any()
    });
    let complete = ready && summary.state == State::Complete;
    let act = at.on::<MouseEvent>(|at, _| at.show(|card| card.opened = !card.opened));
    view! {
        <button
            type="button"
            class=if complete { "compact complete" } else { "compact" }
            part="compact"
            lang=mode.words.language.tag()
            dir=mode.words.language.direction()
            aria-expanded=if opened { "true" } else { "false" }
            aria-controls=at.controller.dom_id("list")
            disabled=STILL
            on:click=act
        >
            {name}
            {bar}
            <span class="count">{words}</span>
            <Icon path=CHEVRON />
        </button>
    }
    .into_any()
}
