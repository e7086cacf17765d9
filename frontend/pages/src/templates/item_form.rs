//! The fields of one row of a draft.

use checklist_shared::item::Kind;
use checklist_shared::template::OnTextChange;
use checklist_shared::time::Timestamp;
use leptos::prelude::*;

use super::editor::Editor;
use super::faults::Place;
use crate::draft::{Row, any_word, set_word, word};
use crate::element::{El, el, live, nothing};
use crate::parts::field::{Field, switch};
use crate::wording::Wording;

/// The fields.
pub fn form(editor: Editor, number: u32, kind: Kind) -> El {
    let known = Memo::new(move |_| editor.draft.with(|draft| draft.languages.clone()));
    let texts = live(move || {
        let languages = known.get();
        let several = languages.len() > 1;
        let fields = languages
            .iter()
            .map(|tag| text_field(editor, number, tag, several));
        let helps = languages
            .iter()
            .map(|tag| help_field(editor, number, tag, several));
        el("div").class("form-fields").els(fields).els(helps).view()
    });
    let key = key_field(editor, number);
    let place = (kind != Kind::Section).then(|| section_field(editor, number));
    let more = (kind == Kind::Item).then(|| {
        el("div")
            .class("form-fields")
            .el(el("div").class("switches").els(switches(editor, number)))
            .el(el("div")
                .class("form-pair")
                .el(role_field(editor, number))
                .el(due_field(editor, number)))
            .el(change_field(editor, number))
    });
    el("div")
        .class("form-fields")
        .child(texts)
        .el(el("div").class("form-pair").el(key).maybe(place))
        .maybe(more)
}

fn read<T: Default>(editor: Editor, number: u32, read: impl FnOnce(&Row) -> T) -> T {
    editor
        .draft
        .with(|draft| draft.row(number).map(read).unwrap_or_default())
}

fn glance<T: Default>(editor: Editor, number: u32, read: impl FnOnce(&Row) -> T) -> T {
    editor
        .draft
        .with_untracked(|draft| draft.row(number).map(read).unwrap_or_default())
}

fn change(editor: Editor, number: u32, field: &str, change: impl FnOnce(&mut Row)) {
    editor.change(&Place::row(number, field), |draft| {
        if let Some(row) = draft.row_mut(number) {
            change(row);
        }
    });
}

/// A label that says its language when there are several.
fn labelled(label: &'static str, tag: &str, several: bool) -> String {
    if several {
        format!("{label} ({tag})")
    } else {
        label.to_owned()
    }
}

fn text_field(editor: Editor, number: u32, tag: &str, several: bool) -> El {
    let words = editor.app.language.templates();
    let (own, first) = (tag.to_owned(), tag.to_owned());
    let fault = move || {
        let missing = read(editor, number, |row| {
            word(&row.text, &first).trim().is_empty()
        });
        editor
            .fault(&Place::row(number, "Text"))
            .filter(|_| missing || !several)
    };
    Field::new(
        format!("row-{number}-text-{tag}"),
        labelled(words.text, tag, several),
    )
    .lang(tag)
    .fault(fault)
    .area(
        1,
        glance(editor, number, |row| word(&row.text, tag).to_owned()),
        move |text| {
            editor.change(&Place::row(number, "Text"), |draft| {
                let Some(row) = draft.row(number) else {
                    return;
                };
                // A key that was made of the text goes on following it until it is published.
                let made =
                    row.key.is_empty() || row.key == draft.key_for(number, any_word(&row.text));
                let follows = made && !row.fixed;
                if let Some(row) = draft.row_mut(number) {
                    set_word(&mut row.text, &own, &text);
                }
                let new = draft
                    .row(number)
                    .map(|row| draft.key_for(number, any_word(&row.text)));
                if let (true, Some(key), Some(row)) = (follows, new, draft.row_mut(number)) {
                    row.key = key;
                }
            });
        },
    )
}

fn help_field(editor: Editor, number: u32, tag: &str, several: bool) -> El {
    let own = tag.to_owned();
    Field::new(
        format!("row-{number}-help-{tag}"),
        labelled(editor.app.language.templates().help, tag, several),
    )
    .lang(tag)
    .fault(move || editor.fault(&Place::row(number, "Help")))
    .area(
        2,
        glance(editor, number, |row| word(&row.help, tag).to_owned()),
        move |text| {
            change(editor, number, "Help", |row| {
                set_word(&mut row.help, &own, &text)
            });
        },
    )
}

fn key_field(editor: Editor, number: u32) -> El {
    let words = editor.app.language.templates();
    let field = Field::new(format!("row-{number}-key"), words.key)
        .fault(move || editor.fault(&Place::row(number, "Key")));
    if glance(editor, number, |row| row.fixed) {
        return el("div")
            .class("field")
            .el(el("span").class("label").text(words.key))
            .el(el("code")
                .class("fixed-value")
                .text(glance(editor, number, |row| row.key.clone())))
            .el(el("p").class("hint").text(words.key_fixed));
    }
    field.hint(words.key_hint).following(
        move || read(editor, number, |row| row.key.clone()),
        move |key| change(editor, number, "Key", |row| row.key = key.trim().to_owned()),
    )
}

fn section_field(editor: Editor, number: u32) -> El {
    let words = editor.app.language.templates();
    let sections = Memo::new(move |_| {
        let sections = editor.draft.with(|draft| {
            let sections = draft
                .rows
                .iter()
                .filter(|row| row.kind == Kind::Section)
                .map(|row| row.number);
            sections.collect::<Vec<_>>()
        });
        let named = sections
            .into_iter()
            .map(|section| (section.to_string(), editor.name_of(section)));
        std::iter::once((String::new(), words.no_section.to_owned()))
            .chain(named)
            .collect::<Vec<_>>()
    });
    let parent = Memo::new(move |_| read(editor, number, |row| row.parent));
    el("div").live(move || {
        let chosen = parent
            .get()
            .map_or_else(String::new, |parent| parent.to_string());
        Field::new(format!("row-{number}-section"), words.section)
            .choice(sections.get(), &chosen, move |section| {
                editor.change(&Place::row(number, "ParentKey"), |draft| {
                    draft.put_into(number, section.parse().ok())
                });
                editor.focus_on(format!("#row-{number}-section"));
            })
            .view()
    })
}

fn switches(editor: Editor, number: u32) -> Vec<El> {
    let words = editor.app.language.templates();
    let required = switch(
        words.required,
        None,
        move || read(editor, number, |row| row.required),
        move |on| change(editor, number, "Required", |row| row.required = on),
    );
    let allowed = switch(
        words.allow_na,
        None,
        move || read(editor, number, |row| row.allow_not_applicable),
        move |on| {
            change(editor, number, "AllowNotApplicable", |row| {
                row.allow_not_applicable = on
            })
        },
    );
    let may = Memo::new(move |_| read(editor, number, |row| row.allow_not_applicable));
    let reason = el("div").live(move || {
        if !may.get() {
            return nothing();
        }
        switch(
            words.na_reason,
            None,
            move || read(editor, number, |row| row.not_applicable_needs_reason),
            move |on| {
                change(editor, number, "NotApplicableNeedsReason", |row| {
                    row.not_applicable_needs_reason = on
                })
            },
        )
        .view()
    });
    vec![required, allowed, reason]
}

fn role_field(editor: Editor, number: u32) -> El {
    Field::new(
        format!("row-{number}-role"),
        editor.app.language.templates().role,
    )
    .fault(move || editor.fault(&Place::row(number, "AssigneeRole")))
    .line(
        glance(editor, number, |row| row.assignee_role.clone()),
        move |role| {
            change(editor, number, "AssigneeRole", |row| {
                row.assignee_role = role
            });
        },
    )
}

fn due_field(editor: Editor, number: u32) -> El {
    let words = editor.app.language.templates();
    let fault = move || {
        let due = read(editor, number, |row| row.due_offset.trim().to_owned());
        let wrong = !due.is_empty() && Timestamp::from_millis(0).plus_iso(&due).is_err();
        wrong
            .then(|| words.due_wrong.to_owned())
            .or_else(|| editor.fault(&Place::row(number, "DueOffset")))
    };
    Field::new(format!("row-{number}-due"), words.due)
        .hint(words.due_hint)
        .fault(fault)
        .line(
            glance(editor, number, |row| row.due_offset.clone()),
            move |due| {
                change(editor, number, "DueOffset", |row| row.due_offset = due);
            },
        )
}

fn change_field(editor: Editor, number: u32) -> El {
    let words = editor.app.language.templates();
    let options = [
        (OnTextChange::Keep, "Keep", words.on_change_keep),
        (OnTextChange::Flag, "Flag", words.on_change_flag),
        (OnTextChange::Reopen, "Reopen", words.on_change_reopen),
    ];
    let now = glance(editor, number, |row| row.on_text_change);
    let chosen = options
        .iter()
        .find(|(value, ..)| *value == now)
        .map_or("Flag", |(_, name, _)| name);
    let choices = options
        .iter()
        .map(|(_, name, words)| ((*name).to_owned(), (*words).to_owned()))
        .collect();
    Field::new(format!("row-{number}-change"), words.on_change).choice(
        choices,
        chosen,
        move |name| {
            if let Some((value, ..)) = options.iter().find(|(_, own, _)| *own == name) {
                change(editor, number, "OnTextChange", |row| {
                    row.on_text_change = *value
                });
            }
        },
    )
}
