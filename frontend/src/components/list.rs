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
use crate::control::screen::{Face, RETIRED};
use crate::i18n::fill;
use crate::state::list::text_of;

/// All groups.
#[must_use]
pub fn groups(at: At, face: &Face) -> El {
    let groups = face
        .groups
        .iter()
        .map(|(key, rows)| (*key, group(at, *key, rows, face).view()))
        .collect();
    el("div|class=groups").keyed(groups)
}

fn group(at: At, key: Key, ids: &[ItemId], face: &Face) -> El {
    let group = el("div|class=group");
    let rows = rows(at, ids);
    match key {
        (Some(id), _) => section(at.item(id), group, rows).child(add_row(at.item(id), face)),
        RETIRED => {
            let title = at.controller.dom_id("retired");
            headed(group, title.clone())
                .el(el("h3|section-title")
                    .attr("id", title)
                    .text(at.texts().retired_group))
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

fn section(at: At, group: El, rows: El) -> El {
    at.follow();
    let title = at.dom_id("s");
    let heading = el("h3|class=section-text").attr("id", title.clone());
    let name = at.read(|item| text_of(item).to_owned());
    headed(group, title)
        .el(el("div|section-title")
            .attr("data-id", at.id())
            .el(heading.el(el("bdi").text(name.unwrap_or_default())))
            .el(el("span|class=section-count").text(count(at)))
            .children(row::around(at)))
        .el(rows)
}

/// How far a section is.
fn count(at: At) -> String {
    let tally = |id| at.controller.with_state(|state| tally(state, id));
    match at.item.map(tally) {
        None | Some((_, 0)) => String::new(),
        Some((done, all)) => fill(
            at.texts().count_of,
            &[("done", &done.to_string()), ("total", &all.to_string())],
        ),
    }
}

fn rows(at: At, ids: &[ItemId]) -> El {
    let rows = ids
        .iter()
        .map(|id| ((Some(*id), 0), View::Live(at.item(*id), row)))
        .collect();
    el("ul|list|role=list")
        // A list without items would still be read out as one.
        .flag("hidden", ids.is_empty())
        .keyed(rows)
}
