//! The footer of a required list: how many items are open, and a button that leads to the first.
//!
//! It says why the form is invalid, and not only that it is.

use leptos::prelude::*;

use super::at::{ViewContext, nothing};
use super::button::Button;
use crate::model::sentences::open_items_sentence;

/// The foot; nothing when nothing is open.
#[component]
pub fn Footer(
    /// The control, and its row if there is one.
    at: ViewContext,
) -> impl IntoView {
    at.live(footer)
}

fn footer(at: ViewContext) -> AnyView {
    at.follow_card();
    let mode = at.mode();
    let open = at.card(|card| open_items_sentence(&card.summary, mode.words));
    if !mode.is_required || open.is_empty() {
        return nothing();
    }
    // The names are for those who cannot see the open boxes above; the form's message has them too.
    let (count, names) = open.split_at(open.find(':').unwrap_or(open.len()));
    let (count, names) = (count.to_owned(), names.to_owned());
    let label = mode.texts().go_to_first();
    let go = (!mode.disabled).then(|| {
        view! { <Button class="button" label at act=|at, _| at.controller.focus_first_open() /> }
            .into_any()
    });
    view! {
        <footer class="footer" part="footer">
            <p class="gate" part="gate" id=at.controller.dom_id("gate")>
                {count}
                <span class="sr">{names}</span>
            </p>
            {go}
        </footer>
    }
    .into_any()
}
