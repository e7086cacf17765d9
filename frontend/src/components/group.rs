//! A group of rows: a section with its heading and count, rows outside of any section, or retired
//! items.
//!
//! The heading is the section's item and tracks it like a row; it is the button that collapses the
//! section.

use checklist_shared::ItemId;
use leptos::prelude::*;
use web_sys::MouseEvent;

use super::add_row::AddRow;
use super::around::Around;
use super::at::ViewContext;
use super::icon::{CHEVRON, Icon};
use super::row_range::RowRange;
use super::rows::Rows;
use super::section_box::checks_all;
use crate::STILL;
use crate::i18n::fill;
use crate::model::arrange::tally;
use crate::model::list::text_of;
use crate::model::message::UserAction;
use crate::screen::{Groups, RETIRED};

/// Renders a group of rows with its heading.
#[component]
pub fn Group(
    /// The group to render.
    of: RowRange,
) -> impl IntoView {
    match of.group {
        (Some(id), _) => {
            let at = of.at.item(id);
            view! {
                <div class="group" part="section" role="group" aria-labelledby=at.dom_id("s")>
                    {at.live(title)}
                    <Rows of />
                    <AddRow at />
                </div>
            }
            .into_any()
        }
        RETIRED => {
            let named = of.at.controller.dom_id("retired");
            view! {
                <div class="group" part="section" role="group" aria-labelledby=named>
                    {of.at.live(retired_title)}
                    <Rows of />
                </div>
            }
            .into_any()
        }
        _ => view! {
            <div class="group">
                <Rows of />
            </div>
        }
        .into_any(),
    }
}

/// The heading of a section; with every tick its count may be another.
fn title(at: ViewContext) -> AnyView {
    at.follow();
    at.follow_card();
    view! {
        <div class="section-title" part="section-title" data-id=at.id()>
            {checks_all(at, &all_rows(at))}
            <h3 class="section-text" id=at.dom_id("s")>
                {toggle(at)}
            </h3>
            <span class="section-count">{count(at)}</span>
            <Around at />
        </div>
    }
    .into_any()
}

/// The name of a section, which collapses it.
fn toggle(at: ViewContext) -> AnyView {
    let name = at.read(|item| text_of(item).to_owned());
    if STILL {
        return view! { <span class="section-toggle"><Icon path=CHEVRON /><bdi>{name}</bdi></span> }
            .into_any();
    }
    let is_expanded = !is_collapsed(at);
    let act = at.on::<MouseEvent>(|at, _| {
        at.does(|id| UserAction::Collapse(id, !is_collapsed(at)));
    });
    view! {
        <button
            type="button"
            class="section-toggle"
            aria-expanded=if is_expanded { "true" } else { "false" }
            on:click=act
        >
            <Icon path=CHEVRON />
            <bdi>{name}</bdi>
        </button>
    }
    .into_any()
}

fn is_collapsed(at: ViewContext) -> bool {
    at.item
        .is_some_and(|id| at.card(|card| card.view.collapsed.contains(&id)))
}

fn retired_title(at: ViewContext) -> AnyView {
    at.follow_mode();
    view! {
        <h3 class="section-title" part="section-title">
            <span class="section-text" id=at.controller.dom_id("retired")>
                {at.texts().retired_group()}
            </span>
        </h3>
    }
    .into_any()
}

/// The progress of a section.
fn count(at: ViewContext) -> Option<String> {
    let rows = all_rows(at);
    let (done, all) = at.controller.with_state(|state| tally(state, &rows));
    let number = |n| at.mode().words.number(n);
    (all > 0).then(|| {
        fill(
            at.texts().count_of(),
            &[("done", &number(done)), ("total", &number(all))],
        )
    })
}

/// The rows of a section, also those that are not shown.
pub(super) fn all_rows(at: ViewContext) -> Vec<ItemId> {
    let screen = at.controller.screen();
    let mut rows = screen.groups.with_untracked(|groups| rows_of(groups, at));
    rows.extend(rows_of(&screen.folded.borrow(), at));
    rows
}

fn rows_of(groups: &Groups, at: ViewContext) -> Vec<ItemId> {
    let rows = groups.iter().find(|((id, _), _)| *id == at.item);
    rows.map(|(_, rows)| rows.clone()).unwrap_or_default()
}
