//! The groups of a list and their rows.
//!
//! A section is a group with a heading, its count and a list; rows outside of sections are
//! lists without heading; what the template no longer has comes last. Rows are keyed by their
//! item, so that a move moves elements. Called by `control::view`.

use leptos::prelude::*;

use super::add_row::add_row;
use super::at::At;
use super::element::{el, nothing};
use super::row::{self, row};
use crate::control::screen::Key;
use crate::i18n::fill;
use crate::state::list::text_of;

/// All groups.
#[must_use]
pub fn groups(at: At) -> AnyView {
    keyed(at, |at| at.screen().groups.get(), group)
}

/// Views that are kept by key: what stays is moved, not drawn anew. One function for groups
/// and rows, because this is the largest piece of Leptos in here.
#[inline(never)]
fn keyed(at: At, keys: fn(At) -> Vec<Key>, view: fn(At, Key) -> AnyView) -> AnyView {
    For(ForProps {
        each: move || keys(at),
        key: |key| *key,
        children: move |key| view(at, key),
    })
    .into_any()
}

fn group(at: At, key: Key) -> AnyView {
    // What a list of rows follows is found by the key: sections by their item, the others by
    // their number, and the retired ones by the largest.
    let at = match key {
        Key::Row(id) | Key::Section(id) => at.item(id),
        Key::Loose(number) => at.number(number),
        Key::Retired => at.number(u32::MAX),
    };
    match key {
        Key::Row(_) => nothing(),
        Key::Loose(_) => el("div").class("group").child(rows(at)).view(),
        Key::Retired => {
            let title = at.controller.dom_id("retired");
            el("div")
                .class("group")
                .part("section")
                .attr("role", "group")
                .attr("aria-labelledby", title.clone())
                .el(el("h3")
                    .class("section-title")
                    .part("section-title")
                    .attr("id", title)
                    .text(at.texts().retired_group))
                .child(rows(at))
                .view()
        }
        Key::Section(id) => {
            let title = at.dom_id("s");
            el("div")
                .class("group")
                .part("section")
                .attr("role", "group")
                .attr("aria-labelledby", title.clone())
                .el(el("div")
                    .class("section-title")
                    .part("section-title")
                    .attr("data-id", id.to_string())
                    .el(el("h3")
                        .class("section-text")
                        .attr("id", title)
                        .el(el("bdi").live_text(at, name)))
                    .el(el("span").class("section-count").live_text(at, tally))
                    .child(row::actions(at))
                    .live(at, row::told)
                    .live(at, row::opened))
                .child(rows(at))
                .child(add_row(at))
                .view()
        }
    }
}

fn name(at: At) -> String {
    at.row()
        .map(|row| row.item.with(|item| text_of(item).to_owned()))
        .unwrap_or_default()
}

fn tally(at: At) -> String {
    match at.screen().group(key_of(at)).map(|group| group.tally.get()) {
        None | Some((_, 0)) => String::new(),
        Some((done, all)) => fill(
            at.texts().count_of,
            &[("done", &done.to_string()), ("total", &all.to_string())],
        ),
    }
}

const fn key_of(at: At) -> Key {
    match at {
        At { item: Some(id), .. } => Key::Section(id),
        At {
            number: u32::MAX, ..
        } => Key::Retired,
        At { number, .. } => Key::Loose(number),
    }
}

fn rows(at: At) -> AnyView {
    el("ul")
        .class("list")
        .part("list")
        .attr("role", "list")
        // A list without items would still be read out as one.
        .live_attr("hidden", at, |at| keys(at).is_empty().then(String::new))
        .child(keyed(at, keys, |at, key| match key {
            Key::Row(id) => row(at.item(id)),
            _ => nothing(),
        }))
        .view()
}

fn keys(at: At) -> Vec<Key> {
    at.screen()
        .group(key_of(at))
        .map(|group| group.rows.get())
        .unwrap_or_default()
}
