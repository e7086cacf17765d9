//! The groups of a list, as far as their rows are rendered yet.
//!
//! A section is a group with a heading, a count and a list; rows outside of sections are lists
//! without a heading; retired items come last.

use leptos::prelude::*;

use super::at::ViewContext;
use super::drag::drop_line;
use super::group::Group;
use super::keyed::Keyed;
use super::row_range::RowRange;
use crate::screen::{GroupKey, count_of};

/// All groups, as far as their rows are to be drawn yet.
#[component]
pub fn List(
    /// The control, and its row if there is one.
    at: ViewContext,
) -> impl IntoView {
    let all = RowRange {
        at,
        group: (None, 0),
        block: 0,
    };
    view! {
        <div class=move || groups_class(at)>
            <Keyed of=all keys=groups draw=group />
            {at.live(rest)}
            {drop_line()}
        </div>
    }
    .into_any()
}

/// While rows are selected, there is a bar over the last of them.
fn groups_class(at: ViewContext) -> &'static str {
    at.follow_card();
    at.follow_mode();
    if at.controller.has_selection() {
        "groups selects picking"
    } else if at.mode().selects() {
        "groups selects"
    } else {
        "groups"
    }
}

/// Holds the place of the rows that are still to come.
fn rest(at: ViewContext) -> AnyView {
    let screen = at.controller.screen();
    let (count, drawn) = (screen.groups.with(count_of), screen.drawn.get());
    let is_searching = screen.card.with(|card| card.search.filter.is_some());
    let rest = count
        .checked_sub(drawn)
        .filter(|rest| *rest > 0 && !is_searching);
    rest.map(|rest| {
        view! { <div class="rest" aria-hidden="true" style:--rest=rest.to_string()></div> }
            .into_any()
    })
    .into_any()
}

fn groups(all: RowRange) -> Vec<GroupKey> {
    let screen = all.at.controller.screen();
    let drawn = screen.drawn.get();
    screen.groups.with(|groups| {
        let mut from = 0;
        let begun = groups.iter().take_while(|(_, rows)| {
            let before = from;
            from += rows.len();
            before < drawn
        });
        begun.map(|(key, _)| *key).collect()
    })
}

fn group(all: RowRange, group: GroupKey) -> AnyView {
    view! { <Group of=RowRange { group, ..all } /> }.into_any()
}
