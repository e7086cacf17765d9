//! The groups of a list and their rows.
//!
//! A section is a group with a heading, its count and a list; rows outside of sections are
//! lists without heading; what the template no longer has comes last. Rows are keyed by their
//! item, so that a move moves elements. Called by `control::view`.

use checklist_shared::ItemId;
use leptos::prelude::*;

use super::add_row::add_row;
use super::element::{el, live, nothing};
use super::row::{self, row};
use crate::control::Controller;
use crate::control::mode::Mode;
use crate::control::screen::{Group, GroupKey, Row};
use crate::i18n::fill;
use crate::state::list::text_of;

/// All groups.
#[must_use]
pub fn groups(controller: &Controller, mode: &Mode) -> AnyView {
    let keys = controller.screen().groups.clone();
    let (controller, mode) = (controller.clone(), mode.clone());
    For(ForProps {
        each: move || keys.get(),
        key: |key| *key,
        children: move |key| group(&controller, &mode, key),
    })
    .into_any()
}

fn group(controller: &Controller, mode: &Mode, key: GroupKey) -> AnyView {
    let Some(group) = controller.screen().group(key) else { return nothing() };
    let rows = rows(controller, mode, &group);
    match key {
        GroupKey::Loose(_) => el("div").class("group").child(rows).view(),
        GroupKey::Retired => el("div")
            .class("group")
            .part("section")
            .attr("role", "group")
            .attr("aria-labelledby", controller.dom_id("retired"))
            .el(el("h3").class("section-title").part("section-title").attr("id", controller.dom_id("retired")).text(mode.texts().retired_group))
            .child(rows)
            .view(),
        GroupKey::Section(id) => match controller.screen().row(id) {
            Some(head) => section(controller, mode, &group, &head, rows),
            None => nothing(),
        },
    }
}

fn section(controller: &Controller, mode: &Mode, group: &Group, head: &Row, rows: AnyView) -> AnyView {
    let id = ["s-", &head.id.to_string()].concat();
    let (item, tally) = (head.item.clone(), group.tally.clone());
    let texts = mode.texts();
    let title = el("div")
        .class("section-title")
        .part("section-title")
        .attr("data-id", head.id.to_string())
        .el(el("h3").class("section-text").attr("id", id.clone()).el(el("bdi").live_text(move || {
            item.with(|item| text_of(item).to_owned())
        })))
        .el(el("span").class("section-count").live_text(move || match tally.get() {
            (_, 0) => String::new(),
            (done, all) => fill(texts.count_of, &[("done", &done.to_string()), ("total", &all.to_string())]),
        }))
        .child(row::actions(controller, head, mode))
        .child(row::opened(controller, head, mode));
    el("div")
        .class("group")
        .part("section")
        .attr("role", "group")
        .attr("aria-labelledby", id)
        .el(title)
        .child(rows)
        .child(add_row(controller, mode, Some(head.id)))
        .view()
}

fn rows(controller: &Controller, mode: &Mode, group: &Group) -> AnyView {
    let (ids, empty) = (group.rows.clone(), group.rows.clone());
    let (controller, mode) = (controller.clone(), mode.clone());
    let some = Memo::new(move |_| empty.with(|ids| !ids.is_empty()));
    live(move || {
        if !some.get() {
            // An empty list would still be read out as one.
            return nothing();
        }
        let (ids, controller, mode) = (ids.clone(), controller.clone(), mode.clone());
        let rows = For(ForProps {
            each: move || ids.get(),
            key: |id| *id,
            children: move |id: ItemId| match controller.screen().row(id) {
                Some(found) => row(&controller, &found, &mode),
                None => nothing(),
            },
        });
        el("ul").class("list").part("list").attr("role", "list").child(rows.into_any()).view()
    })
}
