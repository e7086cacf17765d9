//! The groups of a list and their rows.
//!
//! A section is a group with a heading, its count and a list; rows outside of sections are
//! lists without heading; what the template no longer has comes last. Rows are known by their
//! item, so that a move moves elements. Called by `control::view`.

use checklist_shared::ItemId;

use super::add_row::add_row;
use super::at::At;
use super::element::{El, Key, View, el};
use super::row::{self, row};
use crate::control::arrange::tally;
use crate::control::screen::{AT_ONCE, BLOCK, RETIRED, count_of};
use crate::i18n::fill;
use crate::state::list::text_of;

/// The place of the rows that are not drawn yet.
const REST: Key = (None, u32::MAX - 1);

/// All groups, as far as their rows are to be drawn yet.
#[must_use]
pub fn groups(at: At) -> View {
    let screen = at.controller.screen();
    screen.groups.follow();
    screen.drawn.follow();
    let drawn = screen.drawn.read(|drawn| *drawn);
    screen.groups.read(|groups| {
        let count = count_of(groups);
        let mut from = 0;
        let mut shown = Vec::new();
        for (key, rows) in groups {
            if from >= drawn && count > drawn {
                break;
            }
            let list = if count > AT_ONCE {
                blocks(at, from, rows.len().min(drawn.saturating_sub(from)))
            } else {
                self::rows(at, rows)
            };
            // A list without items would still be read out as one.
            let list = list.flag("hidden", rows.is_empty());
            shown.push((*key, group(at, *key, list).view()));
            from += rows.len();
        }
        if count > drawn {
            // Holds the place of the rows that are still to come.
            let rest = (count - drawn).to_string();
            let rest = el("div|class=rest|aria-hidden=true").attr("--rest", rest);
            shown.push((REST, rest.view()));
        }
        el("div|class=groups").keyed(shown).view()
    })
}

/// The rows of a long list, put together in blocks: the browser leaves those alone that are not
/// in sight.
fn blocks(at: At, from: usize, count: usize) -> El {
    let blocks = (0..count.div_ceil(BLOCK)).map(|block| {
        let first = from + block * BLOCK;
        (
            (None, block as u32),
            View::Live(at.number(first as u32), self::block),
        )
    });
    el("ul|list|role=list").keyed(blocks.collect())
}

/// A block: the rows of a group from one of all rows on.
fn block(at: At) -> View {
    let groups = &at.controller.screen().groups;
    groups.follow();
    groups.read(|groups| {
        let mut skipped = at.number as usize;
        let group = groups.iter().find(|(_, rows)| {
            let here = skipped < rows.len();
            skipped -= if here { 0 } else { rows.len() };
            here
        });
        let rows = group.and_then(|(_, rows)| rows.get(skipped..));
        let rows = rows.unwrap_or_default();
        let rows = rows.get(..BLOCK).unwrap_or(rows);
        el("div|class=block|role=presentation")
            .keyed(row_views(at.number(0), rows))
            .view()
    })
}

fn group(at: At, key: Key, rows: El) -> El {
    let group = el("div|class=group");
    match key {
        (Some(id), _) => {
            let at = at.item(id);
            headed(group, at.dom_id("s"))
                .child(View::Live(at, title))
                .el(rows)
                .child(View::Live(at, field))
        }
        RETIRED => {
            let title = at.controller.dom_id("retired");
            headed(group, title.clone())
                .el(el("h3|section-title").el(el("span|class=section-text")
                    .attr("id", title)
                    .text(at.texts().retired_group())))
                .el(rows)
        }
        _ => group.el(rows),
    }
}

fn headed(group: El, title: String) -> El {
    group
        .part("section")
        .fixed("role", "group")
        .attr("aria-labelledby", title)
}

/// The heading of a section; with every tick its count may be another.
fn title(at: At) -> View {
    at.follow();
    at.controller.screen().face.follow();
    let heading = el("h3|class=section-text").attr("id", at.dom_id("s"));
    let name = at.read(|item| text_of(item).to_owned());
    el("div|section-title")
        .attr("data-id", at.id())
        .el(heading.el(el("bdi").text(name.unwrap_or_default())))
        .el(el("span|class=section-count").text(count(at)))
        .children(row::around(at))
        .view()
}

/// The field for a new item of a section, where it is open.
fn field(at: At) -> View {
    let face = &at.controller.screen().face;
    face.follow();
    face.read(|face| add_row(at, face))
}

/// How far a section is.
fn count(at: At) -> String {
    let (done, all) = at.controller.screen().groups.read(|groups| {
        let rows = groups.iter().find(|((id, _), _)| *id == at.item);
        let rows = rows.map(|(_, rows)| rows.as_slice()).unwrap_or_default();
        at.controller.with_state(|state| tally(state, rows))
    });
    if all == 0 {
        return String::new();
    }
    let number = |n| at.mode.words.number(n);
    fill(
        at.texts().count_of(),
        &[("done", &number(done)), ("total", &number(all))],
    )
}

fn rows(at: At, ids: &[ItemId]) -> El {
    el("ul|list|role=list").keyed(row_views(at, ids))
}

fn row_views(at: At, ids: &[ItemId]) -> Vec<(Key, View)> {
    ids.iter()
        .map(|id| ((Some(*id), 0), View::Live(at.item(*id), row)))
        .collect()
}
