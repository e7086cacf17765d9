//! The card: a list with its header and footer, or the placeholder until it has loaded.
//!
//! The content of a phase remains until the next phase; its parts track their own data.

use checklist_shared::progress::State;
use leptos::prelude::*;

use super::add_row::AddRow;
use super::at::{ViewContext, nothing};
use super::button::Button;
use super::done_items::DoneItems;
use super::footer::Footer;
use super::header::Header;
use super::late::Waiting;
use super::list::List;
use super::messages::Messages;
use super::pasted::PastedLines;
use super::search::SearchBar;
use super::selection::SelectionBar;
use super::strip::Strips;
use super::waiver::Waive;
use crate::model::message::UserAction;
use crate::model::notice::RejectionReason;
use crate::screen::Phase;

/// Renders a list with its header and footer, or its placeholder.
#[component]
pub fn Card(
    /// The control, and its row if there is one.
    at: ViewContext,
) -> impl IntoView {
    let screen = move || at.controller.screen();
    let phase = Memo::new(move |_| screen().card.with(|card| card.phase.clone()));
    let language = move || screen().mode.get().words.language;
    let class = move || {
        let is_complete = || screen().card.with(|card| card.summary.state) == State::Complete;
        let class = match phase.get() {
            Phase::Ready if is_complete() => "card completed",
            Phase::Ready => "card",
            _ => "card loading",
        };
        let is_dense = screen().mode.get().is_dense;
        [class, if is_dense { " dense" } else { "" }].concat()
    };
    view! {
        <section
            part="card"
            role="group"
            class=class
            id=at.controller.dom_id("list")
            lang=move || language().tag()
            dir=move || language().direction()
            aria-labelledby=at.controller.dom_id("title")
            aria-describedby=at.controller.dom_id("count")
            aria-busy=move || (phase.get() == Phase::Loading).then_some("true")
        >
            <div>
                <Header at /> <Waiting at /> {move || match phase.get() {
                    Phase::Loading => skeleton(at),
                    Phase::Failed(refusal) => failure(at, &refusal),
                    Phase::Ready => ready_card(at),
                }}
            </div>
        </section>
    }
    .into_any()
}

fn ready_card(at: ViewContext) -> AnyView {
    view! {
        <Strips at />
        <SearchBar at />
        <Messages at />
        <List at />
        <SelectionBar at />
        {at.live(empty)}
        <AddRow at />
        <PastedLines at />
        <DoneItems at />
        <Waive at />
        <Footer at />
    }
    .into_any()
}

fn empty(at: ViewContext) -> AnyView {
    at.follow_mode();
    if at
        .controller
        .screen()
        .groups
        .with(|groups| !groups.is_empty())
    {
        return nothing();
    }
    let texts = at.texts();
    let mode = at.mode();
    let help = match (mode.add, mode.is_required) {
        (true, _) => texts.empty_add(),
        (false, true) => texts.empty_ask(),
        (false, false) => texts.empty_read(),
    };
    view! {
        <div class="empty" part="empty">
            <slot name="empty">
                <p class="empty-title">{texts.empty()}</p>
                <p>{help}</p>
            </slot>
        </div>
    }
    .into_any()
}

fn skeleton(at: ViewContext) -> AnyView {
    at.follow_mode();
    // As high as a short list with its foot: what stands below moves least.
    let bars: Vec<_> = (0..4).map(|_| view! { <span></span> }.into_any()).collect();
    view! {
        <p class="sr">{at.texts().loading()}</p>
        <div class="skeleton" aria-hidden="true">
            {bars}
        </div>
    }
    .into_any()
}

fn failure(at: ViewContext, refusal: &RejectionReason) -> AnyView {
    at.follow_mode();
    let texts = at.texts();
    // Nothing was to be changed yet, so it is not a change that is refused.
    let sentence = match refusal {
        RejectionReason::Permission => texts.error_not_found().to_owned(),
        other => other.sentence(texts),
    };
    view! {
        <div class="failure" part="failure" role="alert">
            <div>
                <p>
                    <strong>{texts.load_failed()}</strong>
                </p>
                <p>{sentence}</p>
            </div>
            <Button
                class="button"
                label=texts.try_again()
                at
                act=|at, _| at.controller.does(UserAction::LoadAgain)
            />
        </div>
    }
    .into_any()
}
