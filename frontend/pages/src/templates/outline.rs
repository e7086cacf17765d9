//! The rows of a draft as a list: what each is, where it is, and the buttons that change that.
//!
//! `item_form` draws the fields of a row.

use checklist_control::components::icon::{CROSS, DOWN, EDIT, Icon, PLUS, UNDO, UP};
use checklist_control::preview::condition::condition_line;
use checklist_shared::item::Kind;
use leptos::web_sys::KeyboardEvent;

use super::editor::Editor;
use super::errors::row_of;
use super::item_form::item_form;
use crate::draft::Direction;
use crate::duration::counted_in_words;
use crate::kit::*;

/// The rows, and what can be added to them.
pub fn outline(editor: Editor) -> AnyView {
    let words = editor.app.language.templates();
    // What a row is drawn for: the rest of it follows the draft.
    let keys = Memo::new(move |_| {
        editor.draft.with(|draft| {
            let keys = draft
                .rows
                .iter()
                .map(|row| (row.number, row.kind, row.fixed));
            keys.collect::<Vec<_>>()
        })
    });
    let undo = move || {
        editor.can_undo().then(|| {
            view! {
                <button type="button" class="button" on:click=move |_| editor.undo()>
                    <Icon path=UNDO />{words.undo}
                </button>
            }
        })
    };
    let error = move || {
        let error = editor.error_at("/Items");
        error.map(|error| view! { <p class="hint danger padded">{error}</p> })
    };
    let empty = move || {
        let is_empty = keys.with(Vec::is_empty);
        is_empty.then(|| view! { <p class="outline-empty quiet">{words.no_items}</p> })
    };
    let add = |id: Option<&'static str>, label: &'static str, kind: Kind| {
        view! {
            <button type="button" class="button" id=id on:click=move |_| editor.add(kind, None)>
                <Icon path=PLUS />{label}
            </button>
        }
    };
    view! {
        <section class="card panel" aria-labelledby="items-title">
            <div class="panel-head">
                <h2 class="panel-title" id="items-title" tabindex="-1">{words.items}</h2>
                <span class="hint move-hint">{words.move_hint}</span>
                {undo}
            </div>
            {error}
            {empty}
            <ol class="outline">
                <For each=move || keys.get() key=|key| *key children=move |(number, kind, _)| row(editor, number, kind) />
            </ol>
            <div class="outline-add">
                {add(Some("add-item"), words.add_item, Kind::Item)}
                {add(None, words.add_section, Kind::Section)}
                {add(None, words.add_info, Kind::Info)}
            </div>
        </section>
    }
    .into_any()
}

fn row(editor: Editor, number: u32, kind: Kind) -> AnyView {
    let words = editor.app.language.templates();
    // A memo, so that opening another row does not draw this one's form anew.
    let is_open = Memo::new(move |_| editor.open.get() == Some(number));
    let has_error = move || {
        let is_own = |place: &String| row_of(place) == Some(number);
        editor.errors.with(|errors| errors.keys().any(is_own))
    };
    let class = move || {
        let kind = match kind {
            Kind::Section => " section",
            Kind::Info => " info",
            Kind::Item => "",
        };
        let state = |is_on: bool, class: &'static str| if is_on { class } else { "" };
        let is_inside = editor.row(number, |row| row.parent.is_some());
        [
            "outline-row",
            kind,
            state(is_inside, " inside"),
            state(has_error(), " wrong"),
            state(is_open.get(), " open"),
        ]
        .concat()
    };
    let form = move || {
        let close = move || {
            editor.open.set(None);
            editor.focus_on(format!("#row-{number} [data-act=edit]"));
        };
        is_open.get().then(|| {
            view! {
                <div class="outline-form">
                    {untrack(|| item_form(editor, number, kind))}
                    <Button label=words.done click=close />
                </div>
            }
        })
    };
    let add_into = (kind == Kind::Section).then(|| {
        let label = move || fill(words.add_into, &[("section", &editor.name_of(number))]);
        let add = move |_| editor.add(Kind::Item, Some(number));
        view! {
            <button type="button" class="button small" on:click=add><Icon path=PLUS />{label}</button>
        }
    });
    view! {
        <li id=format!("row-{number}") class=class on:keydown=move |event| move_by_key(editor, number, &event)>
            <div class="outline-line">{summary(editor, number)}{actions(editor, number, is_open)}</div>
            {form}
            {add_into}
        </li>
    }
    .into_any()
}

fn actions(editor: Editor, number: u32, is_open: Memo<bool>) -> AnyView {
    let words = editor.app.language.templates();
    let button =
        |act, path, label, disabled: Signal<bool>, expanded, mut click: Box<dyn FnMut()>| {
            view! {
                <button
                    type="button"
                    class="button icon plain"
                    data-act=act
                    aria-label=move || fill(label, &[("text", &editor.name_of(number))])
                    aria-disabled=move || disabled.get().then_some("true")
                    aria-expanded=expanded
                    on:click=move |_| click()
                >
                    <Icon path />
                </button>
            }
            .into_any()
        };
    let shift = |act, path, label, direction| {
        let can_shift = move || {
            editor
                .draft
                .with(|draft| draft.can_shift(number, direction))
        };
        let disabled = Signal::derive(move || !can_shift());
        let click = move || editor.shift(number, direction);
        button(act, path, label, disabled, None, Box::new(click))
    };
    let toggle = move || {
        editor
            .open
            .update(|open| *open = (*open != Some(number)).then_some(number));
    };
    let remove = move || editor.remove(number);
    let expanded = Signal::derive(move || is_open.get().to_string());
    let never = Signal::stored(false);
    view! {
        <div class="outline-actions">
            {shift("up", UP, words.up_named, Direction::Up)}
            {shift("down", DOWN, words.down_named, Direction::Down)}
            {button("edit", EDIT, words.edit_named, never, Some(expanded), Box::new(toggle))}
            {button("remove", CROSS, words.remove_named, never, None, Box::new(remove))}
        </div>
    }
    .into_any()
}

/// The text of the row, and what is special about it.
fn summary(editor: Editor, number: u32) -> AnyView {
    let words = editor.app.language.templates();
    let about = move || {
        editor.row(number, |row| {
            let kind = match row.kind {
                Kind::Section => words.kind_section,
                Kind::Info => words.kind_info,
                Kind::Item => "",
            };
            let required = if row.required { words.required } else { "" };
            let tag = editor.app.language.tag();
            let due = counted_in_words(tag, &row.due_offset, row.due_counted_in);
            let when = row.when.condition();
            let when = when.map(|when| condition_line(editor.app.language, &when));
            let when = when.unwrap_or_default();
            let parts = [kind, required, &row.assignee_role, &due, &when];
            let parts = parts.into_iter().filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join(" · ")
        })
    };
    view! {
        <div class="outline-words">
            <span class="outline-text" dir="auto">{move || editor.name_of(number)}</span>
            <span class="outline-about">
                <code class="id">{move || editor.row(number, |row| row.key.clone())}</code>
                <span>{about}</span>
            </span>
        </div>
    }
    .into_any()
}

/// Alt with an arrow moves the row, wherever in it the focus is.
fn move_by_key(editor: Editor, number: u32, event: &KeyboardEvent) {
    let direction = match (event.alt_key(), event.key().as_str()) {
        (true, "ArrowUp") => Direction::Up,
        (true, "ArrowDown") => Direction::Down,
        _ => return,
    };
    event.prevent_default();
    editor.shift(number, direction);
}
