//! Hides the rows of a group that do not match a search.
//!
//! Directly in the DOM, not by views: rendering thousands of rows at each keystroke would take as long
//! as rendering the list, and so would an effect in each of them. Whole blocks are hidden at once;
//! rows reappear incrementally, as they were rendered.

use checklist_shared::ItemId;
use leptos::prelude::*;
use web_sys::Element;

use super::marks;
use super::row_range::RowRange;
use super::search::filter_of;
use crate::browser;
use crate::model::search::Filter;
use crate::screen::{AT_ONCE, BLOCK};

/// Rows that come back in one go.
const STEP: usize = 2 * BLOCK;

/// Hides rows of that list from now on, whenever something is searched for.
pub(super) fn hide_unmatched_rows(list: Element, of: RowRange) {
    let filter = Memo::new(move |_| filter_of(of.at));
    Effect::new(move |before: Option<bool>| {
        let filter = filter.get();
        let Some(filter) = filter else {
            if before == Some(true) {
                marks::remove(&list);
                show_group(&list, true);
                let from = of.rows_before();
                show_on(list.clone(), of, AT_ONCE.saturating_sub(from));
            }
            return false;
        };
        // Rows that are drawn later are found or not, too.
        of.at.controller.screen().drawn.track();
        of.rows(|rows, _| apply(&list, rows, &filter));
        marks::remove(&list);
        marks::mark(shown_rows(&list), &filter.words);
        true
    });
}

fn apply(list: &Element, rows: &[ItemId], filter: &Filter) {
    let mut is_any = false;
    for (at, part) in children(list).into_iter().enumerate() {
        if is_block(&part) {
            let ids = rows.chunks(BLOCK).nth(at).unwrap_or_default();
            let is_hit = ids.iter().any(|id| filter.shows(*id));
            if is_hit {
                for row in children(&part) {
                    show(&row, shows(&row, filter));
                }
            }
            show(&part, is_hit);
            is_any |= is_hit;
        } else {
            let is_hit = shows(&part, filter);
            show(&part, is_hit);
            is_any |= is_hit;
        }
    }
    // What is not drawn yet may have been found.
    is_any |= rows.iter().any(|id| filter.shows(*id));
    show_group(list, is_any);
}

/// Shows so many rows again, and the others in idle moments, unless something is searched for by
/// then.
fn show_on(list: Element, of: RowRange, rows: usize) {
    let hidden = |of: &Element| of.has_attribute("hidden");
    let mut room = rows;
    for part in children(&list) {
        let inside = if is_block(&part) {
            children(&part)
        } else {
            Vec::new()
        };
        if !hidden(&part) && !inside.iter().any(hidden) {
            continue;
        }
        let count = inside.len().max(1);
        if room == 0 {
            browser::when_idle(Box::new(move || {
                let is_over = of.at.card(|card| card.search.filter.is_none());
                if is_over && list.is_connected() {
                    show_on(list, of, STEP);
                }
            }));
            return;
        }
        room = room.saturating_sub(count);
        for row in inside {
            show(&row, true);
        }
        show(&part, true);
    }
}

fn shows(row: &Element, filter: &Filter) -> bool {
    let id = row.get_attribute("data-id").and_then(|id| id.parse().ok());
    id.is_none_or(|id| filter.shows(id))
}

fn is_block(part: &Element) -> bool {
    part.class_list().contains("block")
}

/// A section without anything that was found goes with its heading.
fn show_group(list: &Element, is_shown: bool) {
    if let Ok(Some(group)) = list.closest(".group") {
        show(&group, is_shown);
    }
}

fn show(element: &Element, is_shown: bool) {
    if element.has_attribute("hidden") == is_shown {
        let _ = element.toggle_attribute_with_force("hidden", !is_shown);
    }
}

fn children(of: &Element) -> Vec<Element> {
    let children = of.children();
    (0..children.length())
        .filter_map(|at| children.item(at))
        .collect()
}

/// The rows of a list that are shown.
fn shown_rows(list: &Element) -> impl Iterator<Item = Element> {
    let is_shown = |element: &Element| !element.has_attribute("hidden");
    let parts = children(list).into_iter().filter(is_shown);
    let rows = parts.flat_map(|part| {
        if is_block(&part) {
            children(&part)
        } else {
            vec![part]
        }
    });
    rows.filter(is_shown)
}
