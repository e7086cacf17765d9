//! The rows of a draft as a list: what each is, where it stands, and the buttons that change that.
//!
//! The fields of a row are drawn by `item_form`.

use checklist_control::components::icon::{EDIT, PLUS, UNDO};
use checklist_shared::item::Kind;
use leptos::prelude::*;

use super::editor::Editor;
use super::faults::Place;
use super::item_form::form;
use crate::draft::{Way, any_word};
use crate::element::{El, button, el, live, nothing};
use crate::wording::{Wording, fill};

const UP: &str = "M8 12.5v-9M4 7.5l4-4 4 4";
const DOWN: &str = "M8 3.5v9M4 8.5l4 4 4-4";
const CROSS: &str = "M4 4l8 8M12 4l-8 8";

/// The rows, and what can be added to them.
pub fn outline(editor: Editor) -> El {
    let words = editor.app.language.templates();
    let numbers = Memo::new(move |_| {
        editor.draft.with(|draft| {
            draft
                .rows
                .iter()
                .map(|row| row.number)
                .collect::<Vec<u32>>()
        })
    });
    let rows = live(move || {
        editor.epoch.track();
        let each = For(ForProps::builder()
            .each(move || numbers.get())
            .key(|number| *number)
            .children(move |number| row(editor, number).view())
            .build());
        el("ol").class("outline").child(each.into_any()).view()
    });
    let empty = live(move || {
        if numbers.with(Vec::is_empty) {
            el("p")
                .class("outline-empty quiet")
                .text(words.no_items)
                .view()
        } else {
            nothing()
        }
    });
    let undo = live(move || {
        if editor.can_undo() {
            el("button")
                .attr("type", "button")
                .class("button")
                .sign(UNDO)
                .text(words.undo)
                .on("click", move |_| editor.undo())
                .view()
        } else {
            nothing()
        }
    });
    let whole = live(move || match editor.fault(&Place::template("Items")) {
        Some(fault) => el("p").class("hint danger padded").text(fault).view(),
        None => nothing(),
    });
    el("section")
        .class("card panel")
        .attr("aria-labelledby", "items-title")
        .el(el("div")
            .class("panel-head")
            .el(el("h2")
                .class("panel-title")
                .id("items-title")
                .attr("tabindex", "-1")
                .text(words.items))
            .child(undo))
        .child(whole)
        .child(empty)
        .child(rows)
        .el(el("div")
            .class("outline-add")
            .el(adder(words.add_item, move || editor.add(Kind::Item, None)).id("add-item"))
            .el(adder(words.add_section, move || {
                editor.add(Kind::Section, None)
            }))
            .el(adder(words.add_info, move || editor.add(Kind::Info, None))))
}

fn adder(label: &'static str, mut act: impl FnMut() + 'static) -> El {
    el("button")
        .attr("type", "button")
        .class("button")
        .sign(PLUS)
        .text(label)
        .on("click", move |_| act())
}

fn row(editor: Editor, number: u32) -> El {
    let words = editor.app.language.templates();
    let kind = editor
        .draft
        .with_untracked(|draft| draft.row(number).map_or(Kind::Item, |row| row.kind));
    let class = move || {
        let inside = editor
            .draft
            .with(|draft| draft.row(number).is_some_and(|row| row.parent.is_some()));
        let wrong = editor.faults.with(|faults| {
            faults
                .keys()
                .any(|place| matches!(place, Place::Row(own, _) if *own == number))
        });
        let kind = match kind {
            Kind::Section => " section",
            Kind::Info => " info",
            Kind::Item => "",
        };
        let open = if editor.open.get() == Some(number) {
            " open"
        } else {
            ""
        };
        [
            "outline-row",
            kind,
            if inside { " inside" } else { "" },
            if wrong { " wrong" } else { "" },
            open,
        ]
        .concat()
    };
    let is_open = move || editor.open.get() == Some(number);
    let named =
        move |text: &'static str| move || Some(fill(text, &[("text", &editor.name_of(number))]));
    let toggle = move || {
        editor
            .open
            .update(|open| *open = (*open != Some(number)).then_some(number))
    };
    let sign = |path: &'static str, act: &'static str, label: &'static str| {
        el("button")
            .attr("type", "button")
            .class("button icon plain")
            .attr("data-act", act)
            .sign(path)
            .follow("aria-label", named(label))
    };
    let can = move |way: Way| {
        move || {
            (!editor.draft.with(|draft| draft.can_shift(number, way))).then(|| "true".to_owned())
        }
    };
    let actions = el("div")
        .class("outline-actions")
        .el(sign(UP, "up", words.up_named)
            .follow("aria-disabled", can(Way::Up))
            .on("click", move |_| editor.shift(number, Way::Up)))
        .el(sign(DOWN, "down", words.down_named)
            .follow("aria-disabled", can(Way::Down))
            .on("click", move |_| editor.shift(number, Way::Down)))
        .el(sign(EDIT, "edit", words.edit_named)
            .follow("aria-expanded", move || Some(is_open().to_string()))
            .on("click", move |_| toggle()))
        .el(sign(CROSS, "remove", words.remove_named).on("click", move |_| editor.remove(number)));
    let into = (kind == Kind::Section).then(|| {
        let label = move || fill(words.add_into, &[("section", &editor.name_of(number))]);
        el("button")
            .attr("type", "button")
            .class("button small")
            .sign(PLUS)
            .follow_text(label)
            .on("click", move |_| editor.add(Kind::Item, Some(number)))
    });
    el("li")
        .id(format!("row-{number}"))
        .follow("class", move || Some(class()))
        .on("keydown", move |event| keys(editor, number, &event))
        .el(el("div")
            .class("outline-line")
            .el(summary(editor, number))
            .el(actions))
        .live(move || {
            if is_open() {
                el("div")
                    .class("outline-form")
                    .el(form(editor, number, kind))
                    .el(button("button", words.done, move || {
                        toggle();
                        editor.focus_on(format!("#row-{number} [data-act=edit]"));
                    }))
                    .view()
            } else {
                nothing()
            }
        })
        .maybe(into)
}

/// What the row says, and what is special about it.
fn summary(editor: Editor, number: u32) -> El {
    let words = editor.app.language.templates();
    let text = move || {
        let text = editor
            .draft
            .with(|draft| draft.row(number).map(|row| any_word(&row.text).to_owned()));
        text.filter(|text| !text.is_empty())
            .unwrap_or_else(|| words.untitled.to_owned())
    };
    let key = move || {
        editor.draft.with(|draft| {
            draft
                .row(number)
                .map(|row| row.key.clone())
                .unwrap_or_default()
        })
    };
    let about = move || {
        let told = editor.draft.with(|draft| {
            let row = draft.row(number)?;
            let kind = match row.kind {
                Kind::Section => Some(words.kind_section.to_owned()),
                Kind::Info => Some(words.kind_info.to_owned()),
                Kind::Item => None,
            };
            let required = row.required.then(|| words.required.to_owned());
            let role = (!row.assignee_role.is_empty()).then(|| row.assignee_role.clone());
            let due = (!row.due_offset.is_empty()).then(|| row.due_offset.clone());
            Some(
                [kind, required, role, due]
                    .into_iter()
                    .flatten()
                    .collect::<Vec<_>>(),
            )
        });
        told.unwrap_or_default().join(" · ")
    };
    el("div")
        .class("outline-words")
        .el(el("span")
            .class("outline-text")
            .attr("dir", "auto")
            .follow_text(text))
        .el(el("span")
            .class("outline-about")
            .el(el("code").class("id").follow_text(key))
            .el(el("span").follow_text(about)))
}

/// Alt with an arrow moves the row, wherever in it the focus is.
fn keys(editor: Editor, number: u32, event: &leptos::web_sys::Event) {
    use leptos::web_sys::KeyboardEvent;
    use wasm_bindgen::JsCast;

    let Some(event) = event.dyn_ref::<KeyboardEvent>() else {
        return;
    };
    let way = match (event.alt_key(), event.key().as_str()) {
        (true, "ArrowUp") => Way::Up,
        (true, "ArrowDown") => Way::Down,
        _ => return,
    };
    event.prevent_default();
    editor.shift(number, way);
}
