//! The groups of a list and their rows.
//!
//! A section is a group with a heading, a count and a list; rows outside of sections are lists
//! without a heading; retired items come last. Rows are keyed by their item, so that a move moves
//! elements. Rows of a long list are grouped in blocks, which the browser does not lay out or paint
//! while they are off-screen.

use checklist_shared::ItemId;
use leptos::prelude::*;

use super::at::ViewContext;
use super::drag::drop_line;
use super::filtered::hide_unmatched_rows;
use super::group::Group;
use super::keyed::Keyed;
use super::row::Row;
use crate::screen::{AT_ONCE, BLOCK, GroupKey, Groups, count_of};

/// A part of a list: all of it, a group, or a block of a group's rows.
#[derive(Clone, Copy)]
pub struct RowRange {
    /// The control.
    pub at: ViewContext,
    /// The group.
    pub group: GroupKey,
    /// The block.
    pub block: u32,
}

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

impl RowRange {
    /// Its rows, and how many there are in the groups before; drawn again when that changes.
    pub(super) fn rows<T>(self, read: impl FnOnce(&[ItemId], usize) -> T) -> T {
        let read_in = |groups: &Groups| {
            let mut from = 0;
            for (key, rows) in groups {
                if *key == self.group {
                    return read(rows, from);
                }
                from += rows.len();
            }
            read(&[], from)
        };
        self.at.controller.screen().groups.with(read_in)
    }
}

/// The rows of a group.
#[component]
pub fn Rows(
    /// The part of the list to render.
    of: RowRange,
) -> impl IntoView {
    let is_long = Memo::new(move |_| of.at.controller.screen().groups.with(count_of) > AT_ONCE);
    view! {
        // A list without items would still be read out as one.
        <ul
            class="list"
            part="list"
            role="list"
            hidden=move || of.rows(|rows, _| rows.is_empty())
            use:hide_unmatched_rows=of
        >
            {move || {
                if is_long.get() {
                    view! { <Keyed of keys=blocks draw=block /> }.into_any()
                } else {
                    view! { <Keyed of keys=rows draw=row /> }.into_any()
                }
            }}
        </ul>
    }
    .into_any()
}

fn blocks(of: RowRange) -> Vec<GroupKey> {
    let drawn = of.at.controller.screen().drawn.get();
    let count = of.rows(|rows, from| rows.len().min(drawn.saturating_sub(from)));
    (0..count.div_ceil(BLOCK))
        .map(|block| (None, block as u32))
        .collect()
}

fn block(of: RowRange, (_, block): GroupKey) -> AnyView {
    let of = RowRange { block, ..of };
    view! {
        <div class="block" role="presentation">
            <Keyed of keys=rows_of_block draw=row />
        </div>
    }
    .into_any()
}

fn rows(of: RowRange) -> Vec<GroupKey> {
    of.rows(|rows, _| keys_of(rows))
}

fn rows_of_block(of: RowRange) -> Vec<GroupKey> {
    of.rows(|rows, _| {
        let block = rows.chunks(BLOCK).nth(of.block as usize);
        keys_of(block.unwrap_or_default())
    })
}

fn keys_of(rows: &[ItemId]) -> Vec<GroupKey> {
    rows.iter().map(|id| (Some(*id), 0)).collect()
}

fn row(of: RowRange, (id, _): GroupKey) -> AnyView {
    id.map(|id| view! { <Row at=of.at.item(id) /> }.into_any())
        .into_any()
}
