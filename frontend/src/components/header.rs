//! The header of a list: its name, its progress, and the undo button.
//!
//! The count is the accessible description of the whole group, so it is a sentence.

use checklist_shared::progress::State;

use leptos::prelude::*;
use web_sys::MouseEvent;

use super::at::ViewContext;
use super::icon::{Icon, UNDO};
use super::people::People;
use super::redo::Redo;
use crate::STILL;
use crate::i18n::fill;
use crate::model::sentences::count_sentence;
use crate::screen::Summary;

/// Renders name, progress and undo button.
#[component]
pub fn Header(
    /// The control, and its row if there is one.
    at: ViewContext,
) -> impl IntoView {
    at.live(header)
}

fn header(at: ViewContext) -> AnyView {
    at.follow_card();
    let (summary, others) = at.card(|card| (card.summary.clone(), card.others.clone()));
    let mode = at.mode();
    let texts = mode.texts();
    let title = at.controller.dom_id("title");
    let named = title.clone();
    // What a label of the page says already is not said twice.
    let labels = at.controller.settings().labels.clone();
    let own = summary.title.clone().filter(|own| *own != labels);
    let is_named = !labels.is_empty();
    let title_class = if is_named && own.is_none() {
        "title sr"
    } else {
        "title"
    };
    let name = match own {
        Some(own) if is_named => view! {
            <span class="sr">{labels} ": "</span>
            <bdi>{own}</bdi>
        }
        .into_any(),
        Some(own) => view! { <bdi>{own}</bdi> }.into_any(),
        None if is_named => view! { <bdi>{labels}</bdi> }.into_any(),
        None => view! { <bdi>{texts.checklist()}</bdi> }.into_any(),
    };
    let run = at.controller.closed_run().map(|run| {
        let number = mode.words.number(run);
        [" ", &fill(texts.run_number(), &[("n", &number)])].concat()
    });
    let is_empty = summary.state == State::Empty;
    let sentence = count_sentence(&summary, mode.words);
    // What stands at the head: "3 of 5 done", or "Completed".
    let complete = summary.state == State::Complete;
    let count = if complete {
        texts.completed().to_owned()
    } else {
        sentence.clone()
    };
    // What a host puts into the slots wins; outside of a shadow root they show what they hold.
    // Said here and not by the card: what depends on a class of the card has the browser look at
    // every row.
    view! {
        <header class=if complete { "header complete" } else { "header" } part="header">
            <div class="top">
                <h2 class=title_class part="title" id=title>
                    <slot name="label">{name}</slot>
                    {run}
                </h2>
                <div class="tools">
                    {undo(at, summary.can_undo, is_empty)}
                    <Redo at can_redo=summary.can_redo />
                    <p class="count" part="count" id=at.controller.dom_id("count")>
                        {count}
                    </p>
                </div>
            </div>
            <slot name=DESCRIPTION></slot>
            <div class="track">{(!is_empty).then(|| progress(&summary, sentence, named))} <People at others /></div>
        </header>
    }
    .into_any()
}

/// The place for a host's own words about the list. By a name, because Leptos makes an element of
/// which nothing can change by an HTML string, which a page's policy may forbid.
const DESCRIPTION: &str = "description";

fn progress(summary: &Summary, sentence: String, named: String) -> AnyView {
    view! {
        <div
            class="progress"
            part="progress"
            role="progressbar"
            aria-valuemin="0"
            aria-valuemax="100"
            aria-labelledby=named
            aria-valuenow=percent(summary)
            aria-valuetext=(!sentence.is_empty()).then_some(sentence)
        >
            <Bar share=percent(summary) />
        </div>
    }
    .into_any()
}

/// The button that takes the last step back; out of sight where there can be none, unless it has
/// the focus: a button that goes takes the focus with it.
fn undo(at: ViewContext, can_undo: bool, is_empty: bool) -> Option<AnyView> {
    let mode = at.mode();
    if !(mode.check || mode.edit || mode.add || mode.delete || mode.reorder) {
        return None;
    }
    if STILL {
        let room = view! {
            <span class="button icon undo room">
                <Icon path=UNDO />
            </span>
        };
        return Some(room.into_any());
    }
    let label = at.texts().undo();
    let class = if is_empty && !can_undo {
        "button icon plain undo idle"
    } else {
        "button icon plain undo"
    };
    let unavailable = (!can_undo).then_some("true");
    let act = at.on::<MouseEvent>(|at, _| at.controller.undo());
    let button = view! {
        <button
            type="button"
            class=class
            aria-keyshortcuts="Control+Z"
            aria-label=label
            title=label
            aria-disabled=unavailable
            on:click=act
        >
            <Icon path=UNDO />
        </button>
    };
    Some(button.into_any())
}

/// The bar in its track.
#[component]
pub fn Bar(
    /// The progress in percent.
    share: String,
) -> impl IntoView {
    // Wide by an attribute: pages that allow no inline styles have servers draw it too.
    let width = [&share, "%"].concat();
    view! { <svg class="progress-bar" part="progress-bar" aria-hidden="true" width=width></svg> }
        .into_any()
}

/// The progress in percent.
pub(super) fn percent(summary: &Summary) -> String {
    let counts = &summary.counts;
    let share = match (summary.state, counts.total - counts.not_applicable) {
        // Everything not applicable is complete too.
        (State::Complete, _) => 100,
        (_, 0) => 0,
        (_, all) => counts.done * 100 / all,
    };
    share.to_string()
}
