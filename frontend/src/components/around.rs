//! What surrounds an item's text, in a row and in the heading of a section: buttons, notices, and the
//! open editor.
//!
//! Tracks nothing: it is rendered again together with its row or heading.

use leptos::prelude::*;

use super::at::ViewContext;
use super::late::late;
use super::menu::More;
use super::offer::is_useful;
use crate::STILL;
use crate::screen::Panel;

/// The parts around an item's text.
#[component]
pub fn Around(
    /// The control, and its row if there is one.
    at: ViewContext,
) -> impl IntoView {
    let notice = at.row(|row| row.notice.clone()).flatten();
    let panel = at.row(|row| row.panel.clone()).unwrap_or_default();
    let is_open = !matches!(panel, Panel::Closed);
    view! {
        {actions(at)}
        {notice.map(|notice| late(|views| (views.notice)(at, notice)))}
        {is_open.then(|| late(|views| (views.opened)(at, panel)))}
    }
    .into_any()
}

/// The menu button. A server renders none: it could not work yet, and its space is reserved.
fn actions(at: ViewContext) -> Option<AnyView> {
    let mode = at.mode();
    let useful = at.read(|item| is_useful(item, mode));
    if STILL || mode.disabled || useful != Some(true) {
        return None;
    }
    let actions = view! {
        <div class="actions" part="actions">
            <More at />
        </div>
    };
    Some(actions.into_any())
}
