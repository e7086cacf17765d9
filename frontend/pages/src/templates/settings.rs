//! What a template says about itself: id, name and description in each language, when a list of it
//! is completed, and whether lists follow a new version by themselves.

use checklist_shared::template::{CompletionRule, RefreshPolicy};
use leptos::prelude::*;

use super::editor::Editor;
use super::faults::Place;
use super::languages::languages;
use crate::draft::{set_word, word};
use crate::element::{El, el, live};
use crate::parts::field::Field;
use crate::wording::Wording;

/// What the template says about itself.
pub fn settings(editor: Editor, is_new: bool) -> El {
    let words = editor.app.language.templates();
    let known = Memo::new(move |_| editor.draft.with(|draft| draft.languages.clone()));
    let id = is_new.then(|| {
        Field::new("template-id", words.id)
            .hint(words.id_hint)
            .fault(move || editor.fault(&Place::template("Id")))
            .following(
                move || editor.draft.with(|draft| draft.id.clone()),
                move |id| {
                    editor.change(&Place::template("Id"), |draft| {
                        draft.id = id.trim().to_owned()
                    })
                },
            )
    });
    let texts = live(move || {
        editor.epoch.track();
        let languages = known.get();
        let several = languages.len() > 1;
        let fields = languages
            .iter()
            .map(|tag| name_fields(editor, tag, several));
        el("div").class("form-fields").els(fields).view()
    });
    let rules = live(move || {
        editor.epoch.track();
        el("div")
            .class("form-pair")
            .el(completion(editor))
            .el(refresh(editor))
            .view()
    });
    el("section")
        .class("card panel")
        .attr("aria-labelledby", "settings-title")
        .el(el("div")
            .class("panel-head")
            .el(el("h2")
                .class("panel-title")
                .id("settings-title")
                .text(words.settings))
            .maybe((!is_new).then(|| {
                el("code")
                    .class("id")
                    .text(editor.draft.with_untracked(|draft| draft.id.clone()))
            })))
        .el(el("div")
            .class("panel-body")
            .maybe(id)
            .child(texts)
            .child(rules)
            .el(languages(editor, known)))
}

fn name_fields(editor: Editor, tag: &str, several: bool) -> El {
    let words = editor.app.language.templates();
    let label = |label: &'static str| {
        if several {
            format!("{label} ({tag})")
        } else {
            label.to_owned()
        }
    };
    let (own, other) = (tag.to_owned(), tag.to_owned());
    let (name, description) = editor.draft.with_untracked(|draft| {
        (
            word(&draft.name, tag).to_owned(),
            word(&draft.description, tag).to_owned(),
        )
    });
    el("div")
        .class("form-fields")
        .el(Field::new(format!("name-{tag}"), label(words.name))
            .lang(tag)
            .fault(move || editor.fault(&Place::template("Name")))
            .line(name, move |text| {
                editor.change(&Place::template("Name"), |draft| {
                    set_word(&mut draft.name, &own, &text)
                })
            }))
        .el(
            Field::new(format!("description-{tag}"), label(words.description))
                .lang(tag)
                .fault(move || editor.fault(&Place::template("Description")))
                .area(2, description, move |text| {
                    editor.change(&Place::template("Description"), |draft| {
                        set_word(&mut draft.description, &other, &text)
                    });
                }),
        )
}

fn completion(editor: Editor) -> El {
    let words = editor.app.language.templates();
    let options = vec![
        ("All".to_owned(), words.completion_all.to_owned()),
        ("Required".to_owned(), words.completion_required.to_owned()),
    ];
    let required = editor
        .draft
        .with_untracked(|draft| draft.completion_rule == CompletionRule::Required);
    Field::new("completion-rule", words.completion).choice(
        options,
        if required { "Required" } else { "All" },
        move |chosen| {
            let rule = if chosen == "Required" {
                CompletionRule::Required
            } else {
                CompletionRule::All
            };
            editor.change(&Place::template("CompletionRule"), |draft| {
                draft.completion_rule = rule
            });
        },
    )
}

fn refresh(editor: Editor) -> El {
    let words = editor.app.language.templates();
    let options = vec![
        ("Manual".to_owned(), words.refresh_manual.to_owned()),
        ("Auto".to_owned(), words.refresh_auto.to_owned()),
    ];
    let auto = editor
        .draft
        .with_untracked(|draft| draft.refresh_policy == RefreshPolicy::Auto);
    Field::new("refresh-policy", words.refresh).choice(
        options,
        if auto { "Auto" } else { "Manual" },
        move |chosen| {
            let policy = if chosen == "Auto" {
                RefreshPolicy::Auto
            } else {
                RefreshPolicy::Manual
            };
            editor.change(&Place::template("RefreshPolicy"), |draft| {
                draft.refresh_policy = policy
            });
        },
    )
}
