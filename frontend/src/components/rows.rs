//! The rows of a group.
//!
//! Rows are keyed by their item, so that a move moves elements. Those of a long list are grouped in
//! blocks, which the browser does not lay out or paint while they are off-screen.

use checklist_shared::ItemId;
use leptos::prelude::*;

use super::filtered::hide_unmatched_rows;
use super::keyed::Keyed;
use super::row::Row;
use super::row_range::RowRange;
use crate::screen::{AT_ONCE, BLOCK, GroupKey, count_of};

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
