//! The line below a list that hides completed items: their number, and a switch.
//!
//! Below the rows, so that nothing moves when the first item is completed.

use leptos::prelude::*;

use super::at::{ViewContext, nothing};
use super::button::Button;
use crate::i18n::plural;
use crate::model::message::UserAction;

/// The switch; nothing while nothing is done.
#[component]
pub fn DoneItems(
    /// The control, and its row if there is one.
    at: ViewContext,
) -> impl IntoView {
    at.live(done_items)
}

fn done_items(at: ViewContext) -> AnyView {
    at.follow_card();
    let view = at.card(|card| card.view.clone());
    let mode = at.mode();
    let texts = mode.texts();
    let hidden = (view.hidden > 0).then(|| {
        let sentence = plural(mode.words, texts.done_hidden(), view.hidden, &[]);
        view! { <p>{sentence}</p> }.into_any()
    });
    let show = (view.hidden > 0 && !mode.disabled).then(|| {
        let act = |at: ViewContext, _: &_| at.controller.does(UserAction::HideDone(false));
        view! { <Button class="button plain" label=texts.show_done() at act /> }.into_any()
    });
    let hide = (view.done > 0 && !mode.disabled).then(|| {
        let act = |at: ViewContext, _: &_| at.controller.does(UserAction::HideDone(true));
        view! { <Button class="button plain" label=texts.hide_done() at act /> }.into_any()
    });
    if hidden.is_none() && hide.is_none() {
        return nothing();
    }
    view! { <div class="done-items" part="done-items">{hidden} {show} {hide}</div> }.into_any()
}
