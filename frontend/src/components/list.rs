//! The groups of a list and their rows.
//!
//! A section is a group with a heading, its count and a list; rows outside of sections are
//! lists without heading; what the template no longer has comes last. Rows are keyed by their
//! item, so that a move moves elements. Called by `control::view`.

use std::rc::Rc;

use leptos::prelude::*;
use send_wrapper::SendWrapper;

use super::add_row::add_row;
use super::element::{el, nothing};
use super::row::{self, row};
use crate::control::Controller;
use crate::control::mode::Mode;
use crate::control::screen::{Group, Key, Row};
use crate::control::shown::Shown;
use crate::i18n::fill;
use crate::state::list::text_of;

/// All groups.
#[must_use]
pub fn groups(controller: &Controller, mode: &Mode) -> AnyView {
    let (keys, controller, mode) = (controller.screen().groups.clone(), controller.clone(), mode.clone());
    keyed(keys, Box::new(move |key| group(&controller, &mode, key)))
}

/// Views that are kept by key: what stays is moved, not drawn anew. One function for groups
/// and rows, because this is the largest piece of Leptos in here.
#[inline(never)]
fn keyed(keys: Shown<Vec<Key>>, view: Box<dyn Fn(Key) -> AnyView>) -> AnyView {
    let view = SendWrapper::new(Rc::new(view));
    For(ForProps { each: move || keys.get(), key: |key| *key, children: move |key| view(key) }).into_any()
}

fn group(controller: &Controller, mode: &Mode, key: Key) -> AnyView {
    let Some(group) = controller.screen().group(key) else { return nothing() };
    let rows = rows(controller, mode, &group);
    match key {
        Key::Row(_) => nothing(),
        Key::Loose(_) => el("div").class("group").child(rows).view(),
        Key::Retired => el("div")
            .class("group")
            .part("section")
            .attr("role", "group")
            .attr("aria-labelledby", controller.dom_id("retired"))
            .el(el("h3").class("section-title").part("section-title").attr("id", controller.dom_id("retired")).text(mode.texts().retired_group))
            .child(rows)
            .view(),
        Key::Section(id) => match controller.screen().row(id) {
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
    let (keys, empty) = (group.rows.clone(), group.rows.clone());
    let (controller, mode) = (controller.clone(), mode.clone());
    let rows = keyed(
        keys,
        Box::new(move |key| match key.item().and_then(|id| controller.screen().row(id)) {
            Some(found) => row(&controller, &found, &mode),
            None => nothing(),
        }),
    );
    el("ul")
        .class("list")
        .part("list")
        .attr("role", "list")
        // A list without items would still be read out as one.
        .live_attr("hidden", move || empty.with(Vec::is_empty).then(String::new))
        .child(rows)
        .view()
}
